import { describe, expect, it, vi } from 'vitest';
import { writeMetric } from '#core/platform/log/log.ts';
import { measureChanges } from '#jobs/service-levels.ts';

const owner = { sid: 1 };
const alert = {
  ...{ providerAlert: { provider: 'provider_a', test: false }, owner: null as object | null, status: 'OPEN' },
  ...{ receivedAt: '2030-01-01T00:00:00.000Z', updatedAt: null as string | null, deadlinePassed: false, late: false },
};
const alertItem = (over: Partial<typeof alert> = {}) => {
  const changed = { ...alert, ...over };
  return { pk: 'A#1', sk: 'A', entity: changed.owner ? 'ALERT' : 'UNMATCHED', alert: changed };
};
const delivery = (attempts: readonly string[], kind = 'new_alert') => ({
  ...{ pk: 'D#1', sk: 'D', entity: 'DELIVERY', kind, createdAt: '2030-01-01T00:00:00.000Z' },
  attempts: attempts.map((at) => ({ at })),
});
const outcome = (acceptedAt: string | null, lateAt: string | null, isFinal = true) => ({
  ...{ pk: 'O#1', sk: 'O', entity: 'OUTCOME', provider: 'provider_b', isFinal, acceptedAt, lateAt },
  createdAt: '2030-01-01T00:00:00.000Z',
});
type Item = Parameters<typeof measureChanges>[0][number]['after'];
const measure = (before: Item, after: Item) =>
  measureChanges([{ before, after }]).map(({ name, value, dimensions }) => [name, value, dimensions?.['Provider']]);

describe('measureChanges', () => {
  it('counts an alert once as received and once as matched, per provider', () => {
    expect(measure(undefined, alertItem())).toEqual([['AlertsReceived', 1, 'provider_a']]);
    expect(measure(alertItem(), alertItem({ owner }))).toEqual([['AlertsMatched', 1, 'provider_a']]);
    expect(measure(undefined, alertItem({ owner })).map(([name]) => name)).toEqual(['AlertsReceived', 'AlertsMatched']);
    expect(measure(alertItem({ owner }), alertItem({ owner }))).toEqual([]);
  });

  it('leaves out test alerts', () => {
    expect(measure(undefined, alertItem({ owner, providerAlert: { provider: 'provider_a', test: true } }))).toEqual([]);
  });

  it('measures the minutes to the final answer, not to a preliminary one', () => {
    const updatedAt = '2030-01-01T01:30:00.000Z';
    const wip = alertItem({ owner, status: 'WIP', updatedAt: '2030-01-01T00:30:00.000Z' });
    expect(measure(alertItem({ owner }), wip)).toEqual([]);
    expect(measure(wip, alertItem({ owner, status: 'RESOLVED', updatedAt }))).toEqual([
      ['MinutesToAnswer', 90, 'provider_a'],
    ]);
  });

  it('counts answers that are late or missing at the deadline', () => {
    const passed = alertItem({ owner, deadlinePassed: true });
    expect(measure(alertItem({ owner }), passed)).toEqual([['AlertsUnanswered', 1, 'provider_a']]);
    expect(measure(passed, alertItem({ owner, deadlinePassed: true, late: true }))).toEqual([
      ['AlertsAnsweredLate', 1, 'provider_a'],
    ]);
  });

  it.each([
    ['2030-01-01T00:00:07.000Z', 7, 0],
    ['2030-01-01T00:01:00.000Z', 60, 0],
    ['2030-01-01T00:02:00.000Z', 120, 1],
  ])('measures the seconds to the first webhook at %s', (at, seconds, late) => {
    expect(measure(delivery([]), delivery([at]))).toEqual([
      ['SecondsToFirstWebhook', seconds, undefined],
      ['FirstWebhooksLate', late, undefined],
    ]);
    expect(measure(delivery([at]), delivery([at, '2030-01-01T12:00:00.000Z']))).toEqual([]);
    expect(measure(delivery([], 'status_update'), delivery([at], 'status_update'))).toEqual([]);
  });

  it('measures the minutes from the answer to the network, and counts those that are in time', () => {
    const [at, lateAt] = ['2030-01-01T00:03:00.000Z', '2030-01-01T10:00:00.000Z'];
    expect(measure(outcome(null, lateAt), outcome(at, null))).toEqual([
      ['MinutesToNetwork', 3, 'provider_b'],
      ['OutcomesOnTime', 1, 'provider_b'],
    ]);
    expect(measure(outcome(null, null), outcome(at, null)).map(([name]) => name)).toEqual(['MinutesToNetwork']);
    expect(measure(outcome(at, null), outcome(at, null))).toEqual([]);
    expect(measure(undefined, outcome(at, lateAt)).map(([name]) => name)).toEqual(['MinutesToNetwork']);
    expect(measure(outcome(null, lateAt, false), outcome(at, null, false))).toEqual([]);
  });
});

it('writes a metric for the stage and for its provider', () => {
  const lines: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((line) => Boolean(lines.push(String(line))));
  writeMetric({ name: 'AlertsReceived', value: 1, unit: 'Count', dimensions: { Provider: 'provider_a' } });
  spy.mockRestore();
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    _aws: { CloudWatchMetrics: [{ Dimensions: [['Stage'], ['Stage', 'Provider']], Namespace: 'Forewarn' }] },
    ...{ Provider: 'provider_a', AlertsReceived: 1 },
  });
});
