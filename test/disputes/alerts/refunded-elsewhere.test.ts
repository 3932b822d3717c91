import { describe, expect, it } from 'vitest';
import type { AlertUpdate, RefundedElsewhere } from '#disputes/alerts/answer/alert-update.ts';
import { saysRefunded, statedMinor, withRefundElsewhere } from '#disputes/alerts/answer/refunded-elsewhere.ts';
import { anAlert, aProviderAlert } from './samples.ts';

const refunded: AlertUpdate = { status: 'RESOLVED', reason_code: '100.001' };

describe('an answer states that its transaction is refunded', () => {
  it.each([
    ['RESOLVED', '100.001', true],
    ['DECLINED', '951.001', true],
    ['WIP', '100.001', false],
    ['OPEN', '100.001', false],
    ['RESOLVED', '100.003', false],
    // The first alert of a double says that.
    ['DECLINED', '940.001', false],
  ] as const)('with status %s and code %s: %s', (status, reason_code, expected) => {
    expect(saysRefunded({ status, update: { ...refunded, reason_code } })).toBe(expected);
  });

  it('only if there is an answer', () => expect(saysRefunded({ status: 'RESOLVED', update: null })).toBe(false));
});

describe('the amount that an answer states', () => {
  const providerAlert = aProviderAlert({ amount: '361.56', currency: 'USD' });
  const stated = (said: Partial<AlertUpdate>, currency = 'USD') =>
    statedMinor({ providerAlert, update: { ...refunded, ...said } }, currency);

  it.each([
    ['the stated one', { alert_outcome_amount: '20.00', alert_outcome_currency: 'USD' }, 2000n],
    ['unknown if it is in another currency', { alert_outcome_amount: '20.00', alert_outcome_currency: 'EUR' }, null],
    ['unknown if its currency is absent', { alert_outcome_amount: '20.00' }, null],
    ['unknown if it is none', { alert_outcome_amount: '20.001', alert_outcome_currency: 'USD' }, null],
    ['the disputed one if there is none', { alert_outcome_currency: 'USD' }, 36_156n],
    ['the disputed one if nothing is stated', {}, 36_156n],
  ])('is %s', (_, said, expected) => expect(stated(said)).toBe(expected));

  it('is unknown if the dispute is in another currency, or has no amount that can be read', () => {
    expect(stated({}, 'EUR')).toBeNull();
    expect(statedMinor({ providerAlert: aProviderAlert({ amount: '' }), update: null }, 'USD')).toBeNull();
    expect(statedMinor({ providerAlert, update: null }, 'EUR')).toBeNull();
  });
});

describe('a refund that was made elsewhere', () => {
  const date = '2026-05-01T00:00:00.000Z';
  const apply = (elsewhere: Partial<RefundedElsewhere>, said: Partial<AlertUpdate> = {}, alert = anAlert()) =>
    withRefundElsewhere(alert, { ...refunded, ...said }, { date, ...elsewhere });

  it('gives the answer its date, and nothing that was not stated', () => {
    expect(apply({})).toStrictEqual({
      ...refunded,
      alert_outcome_action_date: date,
      refunded_elsewhere: { date },
    });
    expect(apply({ reference: 'R-1' }).refunded_elsewhere).toStrictEqual({ date, reference: 'R-1' });
  });

  it('gives the answer its amount, in the currency of the answer', () => {
    expect(apply({ amount: '20' }, { alert_outcome_currency: 'EUR' })).toStrictEqual({
      ...refunded,
      alert_outcome_action_date: date,
      alert_outcome_amount: '20.00',
      alert_outcome_currency: 'EUR',
      refunded_elsewhere: { date, amount: '20.00' },
    });
  });

  it.each([
    ['of the dispute', { disputeAmount: '10', disputeCurrency: 'JPY' }, '20', 'JPY'],
    ['of the transaction if no amount can be read', { amount: '0', currency: 'GBP' }, '20.00', 'GBP'],
  ])('is in the currency %s if the answer names none', (_, providerAlert, amount, currency) => {
    expect(apply({ amount: '20' }, {}, anAlert(providerAlert))).toMatchObject({
      alert_outcome_amount: amount,
      alert_outcome_currency: currency,
    });
  });

  it('may repeat the date and the amount of the answer, and not differ from them', () => {
    const outcome = { alert_outcome_amount: '20.00', alert_outcome_currency: 'USD' };
    expect(apply({ amount: '20.00' }, outcome)).toMatchObject({ ...outcome, refunded_elsewhere: { amount: '20.00' } });
    expect(apply({}, outcome)).toMatchObject({ ...outcome, refunded_elsewhere: { date } });
    expect(apply({}, { alert_outcome_action_date: date })).toMatchObject({ alert_outcome_action_date: date });
    expect(() => apply({ amount: '20.01' }, outcome)).toThrow(
      "refunded_elsewhere.amount: must not differ from the outcome's own amount",
    );
    expect(() => apply({}, { alert_outcome_action_date: '2026-05-02T00:00:00.000Z' })).toThrow(
      "refunded_elsewhere.date: must not differ from the outcome's own date",
    );
  });

  it('is not stated with a code that states no refund', () => {
    expect(() => apply({}, { reason_code: '100.003' })).toThrow('refunded_elsewhere: must be left out');
  });
});
