import { describe, expect, it } from 'vitest';
import { type Alert, withdraw } from '#disputes/alerts/alert.ts';
import type { AlertUpdate } from '#disputes/alerts/answer/alert-update.ts';
import { applyUpdate } from '#disputes/alerts/answer/update.ts';
import type { Decision } from '#disputes/alerts/automatic/automatic.ts';
import { type AlertCost, costAfter, groundOf } from '#disputes/alerts/cost/cost.ts';
import { moveCredit } from '#disputes/costs/credit.ts';
import { type AlertPrice, priceAt } from '#disputes/costs/price.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';
import { anAlert, start } from '#test/disputes/alerts/samples.ts';

const at = '2026-05-02T11:00:00.000Z';
const price = { amount: '25.00', currency: 'USD' };

const answered = (update: Partial<AlertUpdate>, providerAlert: Partial<ProviderAlert> = {}): Alert => {
  const sent: AlertUpdate = { status: 'RESOLVED', reason_code: '100.001', ...update };
  const after = applyUpdate(anAlert({ type: 'DISPUTE', ...providerAlert }), sent, new Set([7]), at);
  if (!after) throw new Error('The answer says nothing new');
  return after;
};
const toCost = (alert: Alert): AlertCost => {
  const cost = costAfter(undefined, alert, () => price, at);
  if (!cost) throw new Error('The alert costs nothing');
  return cost;
};

describe('the price of an alert', () => {
  const priceOf = (change: Partial<AlertPrice>): AlertPrice => ({
    ...{ provider: 'provider_b', tier: null, alertType: null, price: '20.00', currency: 'USD' },
    ...{ from: '2026-05-01T00:00:00.000Z', setAt: '2026-05-01T00:00:00.000Z', setBy: 'root' },
    ...change,
  });
  const found = (list: AlertPrice[], receivedAt = start) =>
    priceAt({ list, version: 1 }, { provider: 'provider_b', tier: '1', type: 'DISPUTE' }, receivedAt)?.amount ?? null;

  it('is that of tier and type, then of the tier, then of the type, then of the provider', () => {
    const all = priceOf({});
    const ofType = priceOf({ alertType: 'DISPUTE', price: '21.00' });
    const ofTier = priceOf({ tier: '1', price: '22.00' });
    const ofBoth = priceOf({ tier: '1', alertType: 'DISPUTE', price: '23.00' });
    const others = [priceOf({ tier: '2' }), priceOf({ alertType: 'FRAUD' }), priceOf({ provider: 'rdr' })];
    expect(found([all, ofType, ofTier, ofBoth, ...others])).toBe('23.00');
    expect(found([ofTier, ofType, all, ...others])).toBe('22.00');
    expect(found([all, ofType, ...others])).toBe('21.00');
    expect(found([...others, all])).toBe('20.00');
    expect(found(others)).toBeNull();
  });

  it('is the one that began last, and of those the one that was set last', () => {
    const next = priceOf({ from: '2026-05-02T00:00:00.000Z', price: '30.00' });
    const mended = { ...next, price: '31.00', setAt: '2026-05-02T09:00:00.000Z' };
    expect(found([priceOf({}), next])).toBe('30.00');
    expect(found([next, mended, priceOf({ setAt: '2026-05-02T09:30:00.000Z' })])).toBe('31.00');
  });

  it('is none that begins, or was set, after the alert was received', () => {
    expect(found([priceOf({ from: '2026-05-02T10:00:00.251Z' })])).toBeNull();
    expect(found([priceOf({ setAt: '2026-05-02T10:00:00.251Z' })])).toBeNull();
    expect(found([priceOf({ from: start, setAt: start })])).toBe('20.00');
  });
});

describe('what an alert costs', () => {
  it('is its price, once, with no credit and nothing saved yet', () => {
    const cost = toCost(anAlert());
    expect(cost).toMatchObject({ price, saved: null, credit: { state: 'none' }, version: 1 });
    expect(cost.entries).toEqual([{ at: start, by: 'service', price }]);
    expect(costAfter(cost, anAlert(), () => null, at)).toBeNull();
  });

  it('is nothing for a test alert and for one without a merchant', () => {
    expect(costAfter(undefined, anAlert({ test: true }), () => price, at)).toBeNull();
    expect(costAfter(undefined, { ...anAlert(), owner: null }, () => price, at)).toBeNull();
  });
});

describe('what an alert saved', () => {
  it('is the disputed amount when it is resolved in time', () => {
    expect(toCost(answered({})).saved).toEqual({ amount: '361.56', currency: 'USD' });
    const inEuros = answered({}, { disputeAmount: '300.00', disputeCurrency: 'EUR' });
    expect(toCost(inEuros).saved).toEqual({ amount: '300.00', currency: 'EUR' });
  });

  it('is nothing when it is declined, late, or no alert to pay for', () => {
    expect(toCost(answered({ status: 'DECLINED', reason_code: '902.002' })).saved).toBeNull();
    expect(toCost({ ...answered({}), late: true }).saved).toBeNull();
    expect(toCost({ ...answered({}), duplicateOf: 7 }).saved).toBeNull();
  });

  it('is taken back with the network’s refund, in an entry of its own', () => {
    const rdr = anAlert({ provider: 'rdr', type: 'DISPUTE_RDR', decision: 'ACCEPTED' });
    const cost = toCost(rdr);
    expect(cost.saved).toEqual({ amount: '361.56', currency: 'USD' });
    const after = costAfter(cost, withdraw(rdr, at), () => null, at);
    expect(after).toMatchObject({ saved: null, price, version: 2 });
    expect(after?.entries).toEqual([...cost.entries, { at, by: 'service', saved: null }]);
  });
});

describe('a credit is claimable', () => {
  const before = '2026-05-01T09:00:00.000Z';
  const declined = (reason_code: string, more: Partial<AlertUpdate> = {}) =>
    answered({ status: 'DECLINED', reason_code, ...more });

  it.each([
    ['repeats another', { ...anAlert(), duplicateOf: 7 }, { reason: 'duplicate', evidence: { duplicate_alertid: 7 } }],
    [
      'was answered as a repetition',
      declined('940.002', { tx_details: [{ duplicate_alertid: '7' }] }),
      { reason: 'duplicate', evidence: { reason_code: '940.002', duplicate_alertid: 7 } },
    ],
    [
      'came after the refund',
      answered({ reason_code: '951.001', alert_outcome_action_date: before }),
      { reason: 'refunded_before', evidence: { reason_code: '951.001', refunded_at: before } },
    ],
    [
      'came after the chargeback',
      declined('952.002', { alert_outcome_action_date: before }),
      { reason: 'charged_back_before', evidence: { reason_code: '952.002', charged_back_at: before } },
    ],
    [
      'came after a refund made here',
      { ...anAlert(), refundedBefore: { txid: 9, at: before } },
      { reason: 'refunded_before', evidence: { refunded_at: before, txid: 9 } },
    ],
    [
      'came after a chargeback',
      { ...anAlert(), chargeback: { id: 'cb_1', openedAt: before, stands: true } },
      { reason: 'charged_back_before', evidence: { chargeback_id: 'cb_1', charged_back_at: before } },
    ],
    [
      'is about another merchant',
      declined('901.002'),
      { reason: 'not_ours', evidence: { reason_code: '901.002', descriptor: 'SHOP*ONLINE 123' } },
    ],
  ])('of an alert that %s', (_, alert, ground) => expect(groundOf(alert)).toEqual(ground));

  it('by a day without a time only if the alert came on a later day', () => {
    const on = (day: string) => answered({ reason_code: '951.001', alert_outcome_action_date: `${day}T00:00:00.000Z` });
    const received = anAlert().receivedAt.slice(0, 10);
    const earlier = new Date(Date.parse(received) - 86_400_000).toISOString().slice(0, 10);
    expect([on(received), on(earlier)].map((alert) => groundOf(alert)?.reason)).toEqual([undefined, 'refunded_before']);
  });

  it('by what a rule found at the processor', () => {
    const decision = { ruleId: 7, reason: 'already_refunded' } as Decision;
    const transaction = { payment_gateway_reference: 'ch_1' } as NonNullable<Alert['automatic']>['transaction'];
    const automatic = { decision, shadows: [], transaction, refund: null, potentialMatches: null };
    const found = (date: string | undefined) => ({
      ...answered({ reason_code: '951.001', ...(date && { alert_outcome_action_date: date }) }),
      automatic,
    });
    expect(groundOf(found(before))).toEqual({
      reason: 'refunded_before',
      evidence: { reason_code: '951.001', rule_id: 7, transaction: 'ch_1', refunded_at: before },
    });
    // It was refunded when the rule looked, which says nothing of when the alert came.
    expect(groundOf(found(at))).toBeNull();
    expect(groundOf(found(undefined))).toBeNull();
  });

  it('by a chargeback that a rule found there only if that is older than the alert', () => {
    const decision = { ruleId: 7, reason: 'already_charged_back' } as Decision;
    const transaction = { payment_gateway_reference: 'ch_1' } as NonNullable<Alert['automatic']>['transaction'];
    const automatic = { decision, shadows: [], transaction, refund: null, potentialMatches: null };
    const found = (date?: string) => ({
      ...declined('952.002', date === undefined ? {} : { alert_outcome_action_date: date }),
      automatic,
    });
    expect(groundOf(found(before))).toEqual({
      reason: 'charged_back_before',
      evidence: { reason_code: '952.002', rule_id: 7, transaction: 'ch_1', charged_back_at: before },
    });
    expect(groundOf(found(at))).toBeNull();
    expect(groundOf(found())).toBeNull();
  });

  it.each([
    ['is open', anAlert()],
    ['was refunded after it came', answered({ reason_code: '951.001', alert_outcome_action_date: at })],
    ['is said to be refunded before, without a date', answered({ reason_code: '951.001' })],
    ['was resolved', answered({})],
    ['is answered for now', answered({ status: 'WIP', reason_code: '901.002' })],
  ])('not of one that %s', (_, alert) => expect(groundOf(alert)).toBeNull());

  it('until a person has spoken: then it stays as they said', () => {
    const working = answered({ status: 'WIP', reason_code: '901.002' });
    const closed = declined('901.002');
    const claimable = costAfter(toCost(working), closed, () => null, at);
    expect(claimable).toMatchObject({ credit: { state: 'claimable', reason: 'not_ours' } });
    if (!claimable) throw new Error('It is claimable');
    const refused = moveCredit(
      claimable,
      { state: 'refused' },
      { isOperator: true, who: 'root', at, computed: claimable.credit },
    );
    expect(refused && costAfter(refused, closed, () => null, at)).toBeNull();
  });
});

describe('moving a credit on', () => {
  const claimable = toCost({ ...anAlert(), duplicateOf: 7 });
  const merchant = { isOperator: false, who: 'ann', at, computed: claimable.credit };
  const operator = { ...merchant, isOperator: true, who: 'root' };
  const move = (cost: AlertCost, state: 'claimable' | 'claimed' | 'granted' | 'refused', as = operator) => {
    const after = moveCredit(cost, { state }, as);
    if (!after) throw new Error('It says nothing new');
    return after;
  };

  it('is claimed by the merchant and granted by an operator, each in an entry', () => {
    const granted = move(move(claimable, 'claimed', merchant), 'granted');
    expect(granted.credit).toMatchObject({ state: 'granted', reason: 'duplicate', evidence: { duplicate_alertid: 7 } });
    expect(granted.entries.slice(-2)).toEqual([
      { at, by: 'ann', credit: 'claimed' },
      { at, by: 'root', credit: 'granted' },
    ]);
  });

  it('is what the alert shows once a claim is taken back, whatever the claim said', () => {
    const claim = { state: 'claimed', reason: 'not_ours', note: 'not our shop' } as const;
    const claimed = moveCredit(claimable, claim, merchant) ?? claimable;
    expect(claimed.credit.reason).toBe('not_ours');
    expect(move(claimed, 'claimable', merchant).credit).toEqual(claimable.credit);
    const nothing = toCost(anAlert());
    const byHand = { ...merchant, computed: nothing.credit };
    const byHandClaimed = moveCredit(nothing, claim, byHand) ?? nothing;
    const back = move(byHandClaimed, 'claimable', byHand);
    expect(back.credit).toEqual({ state: 'none', reason: null, evidence: {} });
    expect(back.entries.at(-1)).toEqual({ at, by: 'ann', credit: 'none' });
    expect(moveCredit(back, { state: 'claimable' }, byHand)).toBeNull();
    expect(moveCredit(back, claim, byHand)?.credit).toMatchObject({ state: 'claimed', reason: 'not_ours' });
  });

  it('may be asked again after a refusal, and mended after a grant', () => {
    expect(move(move(claimable, 'refused'), 'claimed', merchant).credit.state).toBe('claimed');
    expect(move(move(claimable, 'granted'), 'refused').credit.state).toBe('refused');
  });

  it('says nothing new the second time, unless the note is another', () => {
    const claimed = moveCredit(claimable, { state: 'claimed', note: 'both came' }, merchant) ?? claimable;
    expect(claimed.credit.evidence).toEqual({ duplicate_alertid: 7, note: 'both came' });
    expect(moveCredit(claimed, { state: 'claimed', note: 'both came' }, merchant)).toBeNull();
    expect(moveCredit(claimed, { state: 'claimed' }, merchant)).toBeNull();
  });

  it('keeps no card number in the note', () => {
    const claimed = moveCredit(claimable, { state: 'claimed', note: 'card 4242424242424242' }, merchant);
    expect(claimed?.credit.evidence.note).toBe('card 424242******4242');
  });

  it.each([
    ['granted by a merchant', claimable, { state: 'granted' as const }, merchant, 'scope_missing'],
    ['without a reason', toCost(anAlert()), { state: 'claimed' as const }, merchant, 'request_invalid'],
    ['claimable again', move(claimable, 'granted'), { state: 'claimable' as const }, operator, 'credit_state_wrong'],
    ['claimed when granted', move(claimable, 'granted'), { state: 'claimed' as const }, operator, 'credit_state_wrong'],
  ])('is not to be %s', (_, cost, wanted, as, code) =>
    expect(() => moveCredit(cost, wanted, as)).toThrow(expect.objectContaining({ code })),
  );
});
