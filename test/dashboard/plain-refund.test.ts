import { describe, expect, it } from 'vitest';
import type { AlertDto, ChargeFound, ChargesFound, PaymentDto } from '#lib/dashboard/app/operations.ts';
import { findCertain } from '#lib/dashboard/screens/certain-charge.ts';
import { disputedText, plainRefund } from '#lib/dashboard/screens/plain-refund.ts';

const alert = { alert_id: 1, amount: '95.00', currency: 'USD' };
const foundCharge = (more: Partial<ChargeFound> = {}) =>
  ({
    ...{ txid: null, connection: 'c1', kind: 'stripe', reference: 'ch_1', matches: true, charged_back: false },
    ...{ amount: '94.00', currency: 'USD', refunded: '0.00', refundable: '94.00', settled: true },
    ...more,
  }) as ChargeFound;
const found = (match: ChargesFound['match'], ...transactions: ChargeFound[]) =>
  ({ alert_id: 1, match, transactions, unasked: [] }) as unknown as ChargesFound;
const payment = { txid: 7, currency: 'USD', ledger: { refundable: '94.00' }, alerts: [] } as unknown as PaymentDto;
const planRefund = (more: Partial<AlertDto>, charges?: ChargesFound, held?: PaymentDto) =>
  plainRefund({ alert: { ...alert, ...more }, payment: held }, charges);

describe('the amount of several alerts', () => {
  it.each([
    [[{}], '$95.00'],
    [[{ dispute_amount: '20.00', dispute_currency: 'USD' }], '$20.00'],
    [[{ dispute_amount: '20.00', dispute_currency: 'USD' }, {}], '$115.00'],
    [[{ dispute_amount: '30.00', dispute_currency: 'EUR' }, {}], '€30.00 and $95.00'],
    [[{ dispute_amount: '', dispute_currency: '' }], '$95.00'],
    [[{ dispute_amount: '0.00', dispute_currency: 'USD' }], '$95.00'],
  ])('is what is disputed, of %j', (changes, text) =>
    expect(disputedText(changes.map((more) => ({ ...alert, ...more })))).toBe(text),
  );
});

describe('the charge that an alert is certainly about', () => {
  it.each([
    ['the only weak candidate', undefined, found('uncertain', foundCharge())],
    ['each of several candidates', undefined, found('many', foundCharge(), foundCharge({ reference: 'ch_2' }))],
    ['a charge that something rules out', undefined, found('none', foundCharge({ matches: false }))],
    ['a charge before the search is done', undefined, undefined],
  ] as const)('is not %s', (_, held, charges) => {
    expect(findCertain({ payment: held, charges })).toBeUndefined();
    expect(planRefund({}, charges)).toBeUndefined();
  });

  it('is the payment that the alert holds, or the only result of a certain search', () => {
    expect(findCertain({ payment, charges: found('uncertain', foundCharge()) })?.payment?.txid).toBe(7);
    expect(findCertain({ charges: found('one', foundCharge()) })?.charge?.reference).toBe('ch_1');
  });
});

describe('the refund that needs no dialog', () => {
  it.each<[string, Partial<AlertDto>, ChargesFound | undefined, PaymentDto | undefined, string, boolean]>([
    ['what is left where more is disputed, as a part', {}, undefined, payment, '94.00', true],
    [
      'the disputed part of the amount, as all of it',
      { dispute_amount: '50.00', dispute_currency: 'USD' },
      undefined,
      payment,
      '50.00',
      false,
    ],
    [
      'all of it where the dispute is in another currency',
      { currency: 'EUR' },
      found('one', foundCharge()),
      undefined,
      '94.00',
      false,
    ],
    [
      'the disputed amount of a charge elsewhere',
      { amount: '40.00' },
      found('one', foundCharge()),
      undefined,
      '40.00',
      false,
    ],
    [
      'all of an unsettled charge',
      { amount: '40.00' },
      found('one', foundCharge({ settled: false })),
      undefined,
      '94.00',
      false,
    ],
  ])('returns %s', (_, more, charges, held, amount, isPart) => {
    expect(planRefund(more, charges, held)).toMatchObject({ amount, isPart });
  });

  it('returns nothing of a held payment that was charged back', () => {
    expect(
      planRefund({}, found('one', foundCharge({ txid: 7, connection: null, charged_back: true })), payment),
    ).toBeUndefined();
  });
});
