import { describe, expect, it } from 'vitest';
import { iso, milliseconds } from '#core/kernel/clock.ts';
import type { Row } from '#core/platform/work/due.ts';
import { outcomeDue, readOutcomeMessage } from '#disputes/alerts/answer/outcome-due.ts';
import { answeredAt } from './samples.ts';

const alertId = 1_000_000_000_000_001;
const row = (change: Row = {}): Row => ({ id: `out_a_${alertId}_1`, state: 'PENDING', isFinal: true, ...change });
const messagesFor = (after: Row, before?: Row) => {
  const [wake] = outcomeDue.wakes;
  return wake?.messages({ before, replaced: before, after }, answeredAt).map(({ body }) => body);
};

describe('a write of an outcome', () => {
  const inHalfADay = iso(Date.parse(answeredAt) + 12 * milliseconds.hour);

  it('calls for a message at the time at which it must be checked', () => {
    const after = row({ visitAt: inHalfADay });
    const [wake] = outcomeDue.wakes;
    const change = { before: undefined, replaced: undefined, after };
    expect(wake?.messages(change, answeredAt)).toEqual([
      { queue: 'outcome-a', body: { alertId, at: inHalfADay }, at: inHalfADay },
    ]);
    expect(messagesFor(after, row({ visitAt: answeredAt }))).toEqual([{ alertId, at: inHalfADay }]);
  });

  it('calls for none if that time is not new, is later than the next sweep, or is absent', () => {
    const known = row({ visitAt: inHalfADay });
    expect(messagesFor(known, known)).toEqual([]);
    expect(messagesFor(row({ visitAt: iso(Date.parse(inHalfADay) + 1) }))).toEqual([]);
    expect(messagesFor(row())).toEqual([]);
    expect(messagesFor(row(), known)).toEqual([]);
  });

  it('that ends one which was not final calls for the next one of its alert at once', () => {
    const pending = row({ isFinal: false });
    expect(messagesFor(row({ isFinal: false, state: 'ACCEPTED' }), pending)).toEqual([{ alertId, at: answeredAt }]);
    expect(messagesFor(row({ state: 'ACCEPTED' }), row())).toEqual([]);
    expect(messagesFor(pending, pending)).toEqual([]);
    const accepted = row({ isFinal: false, state: 'ACCEPTED' });
    expect(messagesFor(accepted, accepted)).toEqual([]);
    expect(messagesFor(accepted)).toEqual([]);
  });

  it('of an unknown provider fails, in the sweep as well', () => {
    expect(() => messagesFor(row({ id: 'out_?_17_1' }))).toThrow('out_?_17_1 is no outcome');
    expect(() => outcomeDue.sweptMessage(row({ id: 'out_?_17_1' }), answeredAt)).toThrow('out_?_17_1 is no outcome');
  });
});

describe('the text of a message', () => {
  it('is read as the alert that it is about', () => {
    expect(readOutcomeMessage(JSON.stringify({ alertId, at: answeredAt }))).toEqual({ alertId, at: answeredAt });
  });

  it.each(['', 'alert', '{}', '{"alertId":"17"}'])('is not read if it has another form: %s', (text) => {
    expect(readOutcomeMessage(text)).toBeUndefined();
  });
});
