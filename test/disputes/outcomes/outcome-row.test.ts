import { describe, expect, it } from 'vitest';
import type { NetworkOutcome } from '#disputes/alerts/answer/network-outcome.ts';
import { expireOutcome, leftToPerson, mark, outcomeAfterAttempt, replay } from '#disputes/outcomes/outcome-changes.ts';
import { outcomeChangeWrites, toOutcomeDetailsDto } from '#disputes/outcomes/outcome-row.ts';
import { anAttempt, anOutcome, answeredAlert, answeredAt as at, resolved } from './samples.ts';

const alert = answeredAlert(1);
const source = { by: 'ann', via: 'outcomes' } as const;
/** The texts of the writes that follow from a change, apart from the outcome's own. */
const listAll = (before: NetworkOutcome, after: NetworkOutcome, context: object = {}): string[] => {
  let number = 0;
  const given = { alert, at, number: () => ++number, operations: 'operations@service.example', source: null };
  return outcomeChangeWrites(before, after, { ...given, ...context }).effects.map((write) => JSON.stringify(write));
};
/** Without a status update that would be sent with it. */
const silent = anOutcome(1, resolved, { statusDueAt: null });

describe('a final outcome that fails', () => {
  const failed = expireOutcome(silent, at);

  it('is mailed to operations and added to the history', () => {
    const [mail, history, ...others] = listAll(silent, failed);
    expect(mail).toContain('operations@service.example');
    expect(history).toContain('outcome expired');
    expect(history).toContain(String(failed.error));
    expect(others).toEqual([]);
  });

  it('is only added to the history if there is no address of operations', () => {
    expect(listAll(silent, failed, { operations: null })).toEqual([expect.stringContaining('outcome expired')]);
  });

  it('is added without an error if none is known', () => {
    const [, history] = listAll(silent, { ...failed, error: null });
    expect(history).not.toContain('"error"');
  });
});

it('mails nothing about an outcome that did not fail', () => {
  const late = { ...silent, lateAt: null, version: silent.version + 1 };
  expect(listAll({ ...silent, lateAt: at }, late)).toEqual([]);
  expect(listAll(silent, outcomeAfterAttempt(silent, anAttempt('failed'), null, at))).toEqual([]);
});

describe('the history of an outcome that a person changed', () => {
  const manual = leftToPerson(silent, at);

  it('has the note, if there is one', () => {
    const marked = (note: string) => mark(manual, 'ACCEPTED', { by: 'ann', at, note });
    expect(listAll(manual, marked('case 7'), { source })).toEqual([expect.stringContaining('"note":"case 7"')]);
    const [history] = listAll(manual, marked(''), { source });
    expect(history).toContain('outcome marked');
    expect(history).not.toContain('"note"');
  });

  it('shows that it is sent again', () => {
    expect(listAll(manual, replay(manual, at), { source })).toEqual([expect.stringContaining('outcome sent again')]);
  });
});

it('shows the refund that an outcome states, or none', () => {
  const date = '2026-05-01T00:00:00.000Z';
  const money = { alert_outcome_amount: '20.00', alert_outcome_currency: 'USD', alert_outcome_action_date: date };
  expect(toOutcomeDetailsDto(anOutcome(1, { ...resolved, ...money }))).toMatchObject(money);
  expect(toOutcomeDetailsDto(anOutcome(1))).toMatchObject({
    ...{ alert_outcome_amount: null, alert_outcome_currency: null, alert_outcome_action_date: null, comments: null },
  });
});
