import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAmount } from '#core/kernel/money/money.ts';
import type { TransactionStanding } from '#disputes/alerts/automatic/gateway-transaction.ts';
import { disputedMoney } from '#disputes/alerts/disputed-money.ts';
import { planAlertRefund } from '#disputes/rules/decide/refund-plan.ts';

const standing = (change: Partial<TransactionStanding> = {}): TransactionStanding => ({
  ...{ currency: 'USD', captured: 3900n, refunded: 0n, left: 3900n },
  ...{ isChargedBack: false, isSettledForAlert: false, isNamed: true },
  ...change,
});
const alert = (disputeAmount = '', disputeCurrency = '', change: { amount?: string; currency?: string } = {}) => ({
  ...{ amount: '39.00', currency: 'USD', disputeAmount, disputeCurrency },
  ...change,
});
const refund = (amount: string, isPart = false, currency = 'USD') => ({
  plan: 'refund',
  refund: { amount, currency, isPart },
});

describe('what a rule refunds', () => {
  it.each([
    ['the transaction, where the provider does not say more', alert(), {}, refund('39.00')],
    ['what is disputed', alert('20.00', 'USD'), {}, refund('20.00')],
    ['what is left, if that is less', alert('20.00', 'USD'), { refunded: 2500n, left: 1400n }, refund('14.00', true)],
    ['what is disputed, if as much is left', alert('20.00', 'USD'), { refunded: 1900n, left: 2000n }, refund('20.00')],
    ['all, where an issuer states its own currency', alert('60.00', 'EUR'), {}, refund('39.00')],
    ['all, where the other currency has fewer minor units', alert('3000', 'JPY'), {}, refund('39.00')],
    ['all, as a part, where more is disputed than was charged', alert('41.00', 'USD'), {}, refund('39.00', true)],
    ['the rest of it', alert('60.00', 'EUR'), { refunded: 900n, left: 3000n }, refund('30.00', true)],
    [
      'in its own decimals',
      alert('', '', { amount: '39', currency: 'JPY' }),
      { currency: 'JPY' },
      refund('39', false, 'JPY'),
    ],
  ])('is %s', (_, stated, change, plan) => {
    expect(planAlertRefund(stated, standing(change))).toEqual(plan);
  });

  it.each([
    ['another currency that names nothing', alert('60.00', 'EUR'), { isNamed: false }, 'disputed_amount_unclear'],
    // 3000 yen are fewer minor units than 39.00 dollars, and 30.00 dollars would be refunded for them.
    ['another currency, of fewer minor units', alert('3000', 'JPY'), { isNamed: false }, 'disputed_amount_unclear'],
    ['more than was charged that names nothing', alert('41.00', 'USD'), { isNamed: false }, 'disputed_amount_unclear'],
    ['no amount', alert('', '', { amount: '', currency: '' }), {}, 'amount_unknown'],
    ['what others hold', alert(), { left: 0n }, 'amount_not_available'],
    [
      'what was refunded for it',
      alert(),
      { refunded: 3900n, left: 0n, isSettledForAlert: true },
      'transaction_state_wrong',
    ],
  ])('is nothing for %s', (_, stated, change, reason) => {
    expect(planAlertRefund(stated, standing(change))).toEqual({ plan: 'leave', reason });
  });

  it('is nothing of what is refunded in whole or charged back already', () => {
    const whole = { refunded: 3900n, left: 0n };
    expect(planAlertRefund(alert(), standing(whole))).toEqual({ plan: 'answer', reason: 'already_refunded' });
    const back = { ...whole, isChargedBack: true };
    expect(planAlertRefund(alert(), standing(back))).toEqual({ plan: 'answer', reason: 'already_charged_back' });
    expect(planAlertRefund(alert(), standing({ isChargedBack: true }))).toMatchObject({
      reason: 'already_charged_back',
    });
  });

  it('leaves the alert of a payment that the network refunded, whatever the processor counts as refunded', () => {
    for (const refunded of [0n, 3900n])
      expect(planAlertRefund(alert(), standing({ isRefundedByNetwork: true, refunded }))).toEqual({
        ...{ plan: 'leave', reason: 'refunded_by_network' },
      });
  });

  it('says when it was refunded or charged back, each by its own date', () => {
    const [refundedAt, chargedBackAt] = ['2026-04-01T00:00:00.000Z', '2026-04-02T00:00:00.000Z'];
    const whole = { refunded: 3900n, left: 0n, refundedAt, chargedBackAt };
    expect(planAlertRefund(alert(), standing(whole))).toMatchObject({ reason: 'already_refunded', at: refundedAt });
    const back = { ...whole, isChargedBack: true };
    expect(planAlertRefund(alert(), standing(back))).toMatchObject({
      reason: 'already_charged_back',
      at: chargedBackAt,
    });
  });

  it('is never more than is left, nor than is disputed, and nothing without a plan', () => {
    const cents = fc.bigInt({ min: 0n, max: 10_000n });
    const property = fc.property(
      cents,
      cents,
      cents,
      cents,
      fc.boolean(),
      (captured, refunded, held, minor, isNamed) => {
        const left = captured - refunded - held;
        const stated = alert(`${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`, 'USD');
        const plan = planAlertRefund(stated, standing({ captured, refunded, left, isNamed }));
        if (plan.plan !== 'refund') return;
        const money = parseAmount(plan.refund.amount, plan.refund.currency);
        if (typeof money === 'string') throw new Error(money);
        expect(money.minor).toBeGreaterThan(0n);
        expect(money.minor <= left).toBe(true);
        if (minor > 0n) expect(money.minor <= minor).toBe(true);
        expect(plan.refund.isPart).toBe(money.minor < (disputedMoney(stated)?.minor ?? captured));
      },
    );
    fc.assert(property, { numRuns: 2000 });
  });
});
