import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem } from '#core/platform/table/table.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import type { NetworkOutcome } from '#disputes/alerts/answer/network-outcome.ts';
import { fromOutcomeItem, toOutcomeItem } from '#disputes/alerts/answer/network-outcome-row.ts';
import { outcomeAfterAttempt, outcomeWithLease, recordVisit } from '#disputes/outcomes/outcome-changes.ts';
import { leaseOutcome, recordNetworkOutcome } from '#disputes/outcomes/outcome-store.ts';
import { useTable } from '#test/support/table.ts';
import { anAttempt, anOutcome, answeredAlert, answeredAt, minutesAfter } from './samples.ts';

useTable();

const later = minutesAfter(1, answeredAt);
const until = minutesAfter(2, answeredAt);
const alert = answeredAlert(1);
const owed = anOutcome(1);
const stored = async (): Promise<NetworkOutcome> => fromOutcomeItem((await getItem(keys.outcome(owed.id))) ?? {});
const accept = (id: string) => (outcome: NetworkOutcome) =>
  outcomeAfterAttempt(outcome, { ...anAttempt('accepted', later), id }, null, later);

let lines: { event: string }[] = [];
beforeEach(async () => {
  await putItem(toAlertItem(alert));
  await putItem(toOutcomeItem(owed));
  lines = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(JSON.parse(String(line)));
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('the lease of an outcome', () => {
  it('is given to one of two attempts', async () => {
    const leased = await leaseOutcome(owed, 'first', answeredAt);
    expect(leased).toMatchObject({ lease: { attemptId: 'first' }, version: owed.version + 1 });
    expect(Date.parse(leased?.lease?.until ?? '') - Date.parse(answeredAt)).toBe(75_000);
    expect(await leaseOutcome(owed, 'second', answeredAt)).toBeUndefined();
    expect(await stored()).toEqual(leased);
  });

  it('is the own one when the answer was lost', async () => {
    const leased = await leaseOutcome(owed, 'first', answeredAt);
    expect(await leaseOutcome(owed, 'first', answeredAt)).toEqual(leased);
  });

  it('is not given again to an attempt whose result is recorded', async () => {
    const leased = outcomeWithLease(owed, 'first', until);
    await putItem(toOutcomeItem(accept('first')(leased)));
    expect(await leaseOutcome(owed, 'first', answeredAt)).toBeUndefined();
  });

  it('is not given for an outcome that does not exist any more', async () => {
    const gone = { ...owed, id: 'out_a_77_1', alertId: 77 };
    expect(await leaseOutcome(gone, 'first', answeredAt)).toBeUndefined();
  });

  it('reports an error of the table that is no conflict', async () => {
    await expect(leaseOutcome({ ...owed, error: 'x'.repeat(500_000) }, 'first', answeredAt)).rejects.toThrow();
  });
});

describe('the result of an attempt', () => {
  it('is recorded', async () => {
    const leased = await leaseOutcome(owed, 'first', answeredAt);
    await recordNetworkOutcome(alert, leased ?? owed, 'first', accept('first'), later);
    expect(await stored()).toMatchObject({ state: 'ACCEPTED', lease: null, attemptCount: 1 });
    expect(lines).toEqual([]);
  });

  it('is recorded once when the answer was lost', async () => {
    const leased = await leaseOutcome(owed, 'first', answeredAt);
    await recordNetworkOutcome(alert, leased ?? owed, 'first', accept('first'), later);
    await recordNetworkOutcome(alert, leased ?? owed, 'first', accept('first'), later);
    expect(await stored()).toMatchObject({ attemptCount: 1 });
    expect(lines).toEqual([]);
  });

  it('is recorded on top of a change that left the lease', async () => {
    const leased = (await leaseOutcome(owed, 'first', answeredAt)) ?? owed;
    await putItem(toOutcomeItem(recordVisit(leased, later)));
    await recordNetworkOutcome(alert, leased, 'first', accept('first'), later);
    expect(await stored()).toMatchObject({ state: 'ACCEPTED', version: leased.version + 2 });
  });

  it('is left out, with a log line, once another attempt has the lease', async () => {
    const leased = (await leaseOutcome(owed, 'first', answeredAt)) ?? owed;
    const other = await leaseOutcome(leased, 'second', later);
    await recordNetworkOutcome(alert, leased, 'first', accept('first'), later);
    expect(await stored()).toEqual(other);
    expect(lines).toMatchObject([
      { level: 'warn', event: 'attempt_overtaken', outcomeId: owed.id, attemptId: 'first' },
    ]);
  });
});
