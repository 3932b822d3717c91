import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from '#core/platform/http/parse.ts';
import { type Alert, withdraw } from '#disputes/alerts/alert.ts';
import type { AlertUpdate } from '#disputes/alerts/answer/alert-update.ts';
import { allowedCodes } from '#disputes/alerts/answer/reason-codes.ts';
import { applyUpdate, maxOutcomes, namedDuplicates, toUpdate } from '#disputes/alerts/answer/update.ts';
import { UpdateBody } from '#disputes/alerts/api/update-alert/operation.ts';
import { UpdateFields } from '#disputes/alerts/schemas.ts';
import { providerA } from '#disputes/providers/provider-a.ts';
import { rdr } from '#disputes/providers/rdr.ts';
import { serviceDummy } from '#disputes/providers/service-dummy.ts';
import { anAlert, start } from './samples.ts';

const later = '2026-05-02T11:00:00.000Z';
const statuses = ['RESOLVED', 'DECLINED', 'WIP', 'OTHER'] as const;
const update = (change: Partial<AlertUpdate> = {}): AlertUpdate => ({
  status: 'RESOLVED',
  reason_code: '100.001',
  ...change,
});
const full = (status: AlertUpdate['status'], reason_code: string): AlertUpdate => ({
  status,
  reason_code,
  comments: 'because',
  alert_outcome_amount: '1.00',
  alert_outcome_currency: 'USD',
  tx_details: [{ duplicate_alertid: '7' }],
});
const apply = (alert: Alert, change: AlertUpdate, siteAlerts = [7], at = later) =>
  applyUpdate(alert, change, new Set(siteAlerts), at);
const refusal = (ask: () => unknown) => {
  try {
    ask();
  } catch (error) {
    const { code, details } = error as { code: string; details: string };
    return { code, details };
  }
  return 'taken';
};

/** The tables once more, as a person would copy them from the interface: reason, results, outcome. There, 998 is R: see below. */
const tables = {
  provider_a: `100 1,3 R|101 1,2,3 R|102 3 R|103 1,2,3 R|900 2 D|901 2 D|902 2 D|940 1,2,3 D|950 2 D|951 1,3 R|952 1,2 D|
    953 1,2 D|954 1,2 D|956 1,2,3 D|998 1,2,3 W|999 2 W`,
  provider_b: `100 1 R|101 1 R|102 3 R|900 2 D|901 2 D|902 2 D|950 2 D|957 2 D|940 1,2,3 D|951 1,3 R|952 1,2 D|953 1,2 D|
    954 1,2 D|956 1,2 D|999 2 W`,
} as const;
const outcomes = { R: 'RESOLVED', D: 'DECLINED', W: 'WIP' } as const;
const combinations = (provider: keyof typeof tables) =>
  new Map<string, 'RESOLVED' | 'DECLINED' | 'WIP'>(
    tables[provider].split('|').flatMap((row) => {
      const [reason = '', results = '', outcome = ''] = row.trim().split(' ');
      return results
        .split(',')
        .map((result) => [`${reason}.00${result}`, outcomes[outcome as keyof typeof outcomes]] as const);
    }),
  );

describe.each(['provider_a', 'provider_b'] as const)('the reason codes of %s', (provider) => {
  const known = combinations(provider);
  const alert = anAlert({ provider, type: 'DISPUTE' });
  const reasons = Array.from({ length: 1000 }, (_, code) => String(code).padStart(3, '0'));
  const anyCode = fc.oneof(
    fc.constantFrom(...known.keys()),
    fc
      .tuple(fc.constantFrom(...reasons), fc.constantFrom('000', '001', '002', '003', '004'))
      .map((parts) => parts.join('.')),
  );

  it('are taken exactly as the table says, with any status', () => {
    fc.assert(
      fc.property(anyCode, fc.constantFrom(...statuses), (code, status) => {
        const outcome = known.get(code);
        const isInterim = status === 'RESOLVED' && code.startsWith('998');
        const isRight =
          outcome !== undefined && (status === 'WIP' || status === 'OTHER' || status === outcome || isInterim);
        const answer = refusal(() => apply(alert, full(status, code)));
        expect(answer === 'taken' ? 'taken' : answer.code).toBe(isRight ? 'taken' : 'reason_code_invalid');
      }),
      { numRuns: 2000 },
    );
  });

  it('are each taken', () => {
    for (const [code, outcome] of known) {
      expect(apply(alert, full(outcome, code))).toMatchObject({ status: outcome });
      expect(apply(alert, full('OTHER', code))).toMatchObject({ status: 'OTHER' });
    }
    expect(allowedCodes(provider, 'WIP')).toHaveLength(known.size);
  });

  it('are listed when a wrong one is sent', () => {
    const answer = refusal(() => apply(alert, update({ reason_code: '999.002' })));
    expect(answer).toMatchObject({ code: 'reason_code_invalid', details: expect.stringContaining('100.001, ') });
    expect(JSON.stringify(answer)).not.toContain('900.002');
  });
});

it('reads 998 as interim, whatever an update calls it, and takes a final answer after it', () => {
  const contacted = apply(anAlert(), full('RESOLVED', '998.001'));
  expect(contacted).toMatchObject({ status: 'WIP', update: { status: 'WIP', reason_code: '998.001' } });
  expect(contacted && apply(contacted, full('RESOLVED', '998.001'))).toBeNull();
  expect(contacted && apply(contacted, full('RESOLVED', '100.001'))).toMatchObject({ status: 'RESOLVED' });
});

it("takes provider_a's reasons for test alerts, and knows none where the network decides", () => {
  expect(serviceDummy.reasons).toBe(providerA.reasons);
  expect(rdr.reasons).toEqual([]);
});

describe('an update', () => {
  it('goes from open over WIP and OTHER, again and again, to an end', () => {
    let alert = anAlert();
    for (const status of ['WIP', 'OTHER', 'WIP'] as const) {
      const next = apply(alert, update({ status, reason_code: '999.002' }));
      expect(next).toMatchObject({ status, version: alert.version + 1, updatedAt: later });
      alert = next ?? alert;
    }
    expect(apply(alert, update({ status: 'DECLINED', reason_code: '901.002' }))).toMatchObject({ status: 'DECLINED' });
  });

  it('keeps what it does not say from an earlier update of the same status', () => {
    const notes = {
      merchant_notes: 'called the customer',
      alert_outcome_amount: '5.00',
      alert_outcome_currency: 'USD',
    };
    const working = apply(anAlert(), update({ status: 'WIP', reason_code: '999.002', ...notes })) ?? anAlert();
    const asked = apply(working, update({ status: 'WIP', reason_code: '999.002', comments: 'asked' })) ?? anAlert();
    expect(asked.update).toEqual({ status: 'WIP', reason_code: '999.002', ...notes, comments: 'asked' });
  });

  it('takes no comment, amount or date from an earlier update of another status', () => {
    const said = {
      comments: 'We will refund this today',
      alert_outcome_amount: '5.00',
      alert_outcome_currency: 'USD',
      alert_outcome_action_date: later,
      merchant_notes: 'called the customer',
    };
    const working = apply(anAlert(), update({ status: 'WIP', reason_code: '999.002', ...said })) ?? anAlert();
    const declined = update({ status: 'DECLINED', reason_code: '902.002' });
    const closed = apply(working, declined) ?? anAlert();
    expect(closed.update).toEqual(declined);
    expect(apply(closed, declined)).toBeNull();
    expect(refusal(() => apply(working, update({ status: 'DECLINED', reason_code: '900.002' })))).toMatchObject({
      code: 'request_invalid',
      details: expect.stringContaining('comments: must say why'),
    });
  });

  it('takes which alert it repeats from an earlier update only if that was checked', () => {
    const named = { tx_details: [{ duplicate_alertid: '7' }] };
    const other = apply(anAlert(), update({ status: 'OTHER', reason_code: '999.002', ...named }), []) ?? anAlert();
    const duplicate = update({ status: 'OTHER', reason_code: '940.002' });
    expect(refusal(() => apply(other, duplicate))).toMatchObject({ code: 'request_invalid' });
    const commented = { ...duplicate, comments: 'as before' };
    const checked = apply(anAlert(), update({ status: 'OTHER', reason_code: '940.002', ...named })) ?? anAlert();
    expect(apply(checked, commented)?.update).toEqual({ ...commented, ...named });
    const final = update({ status: 'DECLINED', reason_code: '940.002' });
    expect(refusal(() => apply(checked, final))).toMatchObject({ code: 'request_invalid' });
  });

  it('names another alert only by its own details, if it has any', () => {
    const named = { tx_details: [{ duplicate_alertid: '7' }] };
    const duplicate = update({ status: 'OTHER', reason_code: '940.002' });
    const checked = apply(anAlert(), { ...duplicate, ...named }) ?? anAlert();
    expect(refusal(() => apply(checked, { ...duplicate, tx_details: [{ userid: '5' }] }))).toMatchObject({
      code: 'request_invalid',
      details: expect.stringContaining('duplicate_alertid: must name'),
    });
  });

  it('keeps who made a refund, and where, only while it states a refund', () => {
    const made = { refunded_by: 'merchant', refunded_elsewhere: { date: later } } as const;
    const stated = { ...anAlert(), status: 'WIP' as const, update: update({ status: 'WIP', ...made }) };
    const said = { status: 'WIP', comments: 'soon' } as const;
    expect(apply(stated, update(said))?.update).toStrictEqual(update({ ...said, ...made }));
    const without = update({ ...said, reason_code: '999.002' });
    expect(apply(stated, without)?.update).toStrictEqual(without);
  });

  it('that says nothing new changes nothing', () => {
    const sent = full('RESOLVED', '101.001');
    const closed = apply(anAlert(), sent) ?? anAlert();
    expect(apply(closed, { ...sent })).toBeNull();
    const working = apply(anAlert(), update({ status: 'WIP' })) ?? anAlert();
    expect(apply(working, update({ status: 'WIP' }))).toBeNull();
  });

  it.each([
    [{ status: 'DECLINED', reason_code: '901.002' }],
    [{ reason_code: '100.003' }],
    [{ status: 'WIP', reason_code: '999.002' }],
    [{ alert_outcome_amount: '1.00', alert_outcome_currency: 'USD' }],
    [{ merchant_notes: 'more' }],
  ] as const)('%j does not change an alert that is resolved', (change) => {
    const closed = apply(anAlert(), update()) ?? anAlert();
    expect(refusal(() => apply(closed, update(change)))).toMatchObject({ code: 'alert_closed' });
  });

  it('does not reach an alert whose case was taken back', () => {
    expect(refusal(() => apply(withdraw(anAlert(), start), update()))).toMatchObject({ code: 'alert_closed' });
    const working = apply(anAlert(), update({ status: 'WIP' })) ?? anAlert();
    expect(refusal(() => apply(withdraw(working, start), update({ status: 'WIP' })))).toMatchObject({
      code: 'alert_closed',
    });
  });

  it.each(['DISPUTE_RDR', 'FRAUD_NOTICE', 'DISPUTE_NOTICE'] as const)('is not for a %s', (type) => {
    const alert = anAlert({ type, decision: type === 'DISPUTE_RDR' ? 'ACCEPTED' : null });
    expect(refusal(() => apply(alert, update()))).toMatchObject({ code: 'alert_takes_no_outcome' });
  });

  it('is late after the deadline, and the alert stays so', () => {
    const alert = anAlert();
    expect(apply(alert, update(), [], alert.deadlineAt ?? '')).toMatchObject({ late: false });
    expect(apply(alert, update(), [], '2026-05-03T10:00:00.001Z')).toMatchObject({ late: true });
    expect(apply({ ...alert, late: true }, update())).toMatchObject({ late: true });
    expect(apply({ ...alert, deadlinePassed: true }, update())).toMatchObject({ late: true });
    expect(apply({ ...alert, deadlineAt: null }, update())).toMatchObject({ late: false });
  });

  it('with 900.002 needs comments', () => {
    const declined = update({ status: 'DECLINED', reason_code: '900.002' });
    expect(refusal(() => apply(anAlert(), declined))).toMatchObject({
      code: 'request_invalid',
      details: expect.stringContaining('comments: '),
    });
    expect(apply(anAlert(), { ...declined, comments: 'shipped' })).toMatchObject({ status: 'DECLINED' });
  });

  it.each([
    ['none', undefined],
    ['one the site does not have', [{ duplicate_alertid: '8' }]],
    ['one it has and one it does not', [{ duplicate_alertid: '7' }, { duplicate_alertid: '8' }]],
    ['itself', [{ duplicate_alertid: String(anAlert().alertId) }]],
  ])('with 940 is refused when it names %s', (_name, tx_details) => {
    const sent = { ...update({ status: 'DECLINED', reason_code: '940.002' }), ...(tx_details && { tx_details }) };
    expect(refusal(() => apply(anAlert(), sent, [7, anAlert().alertId]))).toMatchObject({
      code: 'request_invalid',
      details: expect.stringContaining('duplicate_alertid: must'),
    });
  });

  it.each(['provider_a', 'provider_b'] as const)('that a part was refunded needs the amount, at %s', (provider) => {
    const alert = anAlert({ provider, type: 'DISPUTE' });
    expect(refusal(() => apply(alert, update({ reason_code: '101.001' })))).toMatchObject({
      details: expect.stringContaining('alert_outcome_amount: must be given'),
    });
  });

  it('is not checked again if it was accepted before', () => {
    const before = { ...anAlert(), status: 'RESOLVED' as const, update: update({ reason_code: '101.001' }) };
    expect(apply(before, update({ reason_code: '101.001' }))).toBeNull();
  });
});

describe("an update's body", () => {
  const body = (change: Record<string, unknown>) =>
    toUpdate(parse(UpdateFields, { status: 'RESOLVED', reason_code: '100.001', ...change }));

  it('writes amounts with the decimals of their currency', () => {
    expect(body({ alert_outcome_amount: '5', alert_outcome_currency: 'USD' })).toMatchObject({
      alert_outcome_amount: '5.00',
    });
  });

  it('takes empty fields as not said', () => {
    expect(body({ comments: '', merchant_notes: null, alert_outcome_amount: '', tx_details: [] })).toEqual({
      status: 'RESOLVED',
      reason_code: '100.001',
    });
  });

  it.each([
    [{ tx_details: [{ duplicate_alertid: '7', userid: 5, username: 'ann' }] }],
    [{ tx_details: { duplicate_alertid: 7, userid: '5', username: 'ann' } }],
    [{ txdetails: ['{"duplicate_alertid":"7","userid":"5","username":"ann"}'] }],
    [{ txdetails: '[{"duplicate_alertid":7,"userid":"5","username":"ann"}]' }],
  ])('takes details as %j', (change) =>
    expect(body(change).tx_details).toEqual([{ duplicate_alertid: '7', userid: '5', username: 'ann' }]),
  );

  it('keeps nothing of a detail that was not sent, and no empty detail', () => {
    expect(body({ tx_details: [{ userid: '5' }] }).tx_details).toStrictEqual([{ userid: '5' }]);
    expect(body({ tx_details: [{}] })).toStrictEqual({ status: 'RESOLVED', reason_code: '100.001' });
  });

  it('names no duplicate by a detail without one', () => {
    expect(namedDuplicates(update({ reason_code: '940.001', tx_details: [{ userid: '5' }] }))).toEqual([]);
  });

  it('names duplicates for reason 940 only', () => {
    const tx_details = [{ duplicate_alertid: '7' }, { duplicate_alertid: '7' }];
    expect(namedDuplicates(update({ reason_code: '940.001', tx_details }))).toEqual([7]);
    expect(namedDuplicates(update({ tx_details }))).toEqual([]);
  });

  it('keeps no card number in its words', () => {
    expect(body({ merchant_notes: 'card 4242424242424242' }).merchant_notes).toBe('card 424242******4242');
  });

  it.each([
    [{ alert_id: 'x' }, 'alert_id: must be a whole number above 0'],
    [{ status: 'DONE' }, 'status: must be RESOLVED, DECLINED, WIP or OTHER'],
    [{ reason_code: '100' }, 'reason_code: must be a reason and a result code'],
    [{ reason_code: 100.001 }, 'reason_code: must be text'],
    [{ alert_outcome_amount: '5' }, 'alert_outcome_amount: requires alert_outcome_currency as well'],
    [{ alert_outcome_amount: '5.123', alert_outcome_currency: 'USD' }, 'alert_outcome_amount: has more decimals'],
    [{ alert_outcome_amount: '1e3', alert_outcome_currency: 'USD' }, 'alert_outcome_amount: must be a decimal'],
    [{ alert_outcome_currency: 'XYZ' }, 'alert_outcome_currency: must be a currency code'],
    [{ alert_outcome_action_date: '2026-05-02' }, 'alert_outcome_action_date: must be an ISO 8601'],
    [{ tx_details: 'x' }, 'tx_details.0: must be an object'],
    [{ tx_details: [{ duplicate_alertid: 'x' }] }, 'tx_details.0.duplicate_alertid: must be a whole number'],
  ])('refuses %j and names the field', (change, words) => {
    const sent = { alert_id: '1', status: 'RESOLVED', reason_code: '100.001', ...change };
    expect(refusal(() => parse(UpdateBody, sent))).toMatchObject({ details: expect.stringContaining(words) });
  });
});

describe('an alert that was answered very often', () => {
  const answered = { ...anAlert(), status: 'WIP' as const, outcomes: maxOutcomes };

  it.each(['WIP', 'OTHER'] as const)('is not answered %s once more', (status) => {
    expect(refusal(() => apply(answered, update({ status, reason_code: '999.002', comments: 'again' })))).toEqual({
      code: 'request_invalid',
      details: `status: the alert was answered ${maxOutcomes} times; send its final status.`,
    });
    const once = { ...answered, outcomes: maxOutcomes - 1 };
    expect(apply(once, update({ status, reason_code: '999.002' }))).toMatchObject({ outcomes: maxOutcomes });
  });

  it('still accepts a final answer', () => {
    expect(apply(answered, update())).toMatchObject({ status: 'RESOLVED' });
  });
});
