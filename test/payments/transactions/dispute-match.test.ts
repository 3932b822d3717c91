import { describe, expect, it } from 'vitest';
import {
  type DisputedPayment,
  endsOfCard,
  matchPayments,
  type Payment,
  paymentSearchSpan,
} from '#payments/transactions/dispute/dispute-match.ts';

const disputed = (change: Partial<DisputedPayment> = {}): DisputedPayment => ({
  card: '411111xxxxxx1111',
  arn: '24692161070000622606414',
  authCode: '387373',
  amount: '361.56',
  currency: 'USD',
  transactionAt: '2026-04-30T08:15:00.000Z',
  ...change,
});
const payment = (txid: number, change: Partial<Payment> = {}): Payment => ({
  txid,
  status: 'OK',
  tx_action: 'PAYMENT',
  minor: '36156',
  currency: 'USD',
  arn: null,
  auth_code: null,
  created_at: '2026-04-30T08:15:00.000Z',
  ...change,
});
const one = (txid: number) => ({ found: 'one', txid });
const many = (...txids: number[]) => ({ found: 'many', txids });
const none = { found: 'none' };
const match = (payments: Payment[], change: Partial<DisputedPayment> = {}) =>
  matchPayments(disputed(change), payments, true);

describe('the payment of an alert', () => {
  it('is the one with its acquirer reference number, whatever else there is', () => {
    const named = payment(1, {
      arn: disputed().arn,
      minor: '1',
      currency: 'EUR',
      created_at: '2026-04-10T00:00:00.000Z',
    });
    expect(match([payment(2), named, payment(3, { auth_code: '387373' })])).toEqual(one(1));
  });

  it('is not one with another reference number or another code', () => {
    expect(match([payment(1, { arn: '1'.repeat(23) })])).toEqual(none);
    expect(match([payment(1, { auth_code: '000000' })])).toEqual(none);
    expect(match([payment(1, { auth_code: '000000' })], { authCode: '' })).toEqual(one(1));
  });

  it('is the one with its authorisation code, on whatever day', () => {
    const coded = payment(1, { auth_code: 'ab12cd', created_at: '2026-04-10T00:00:00.000Z' });
    expect(match([coded, payment(2)], { authCode: 'AB12CD' })).toEqual(one(1));
  });

  it('is, without either, the one of its amount within two days', () => {
    expect(match([payment(1)])).toEqual(one(1));
    expect(match([payment(1, { created_at: '2026-05-02T08:15:00.000Z' })])).toEqual(one(1));
    expect(match([payment(1, { created_at: '2026-05-02T08:15:00.001Z' })])).toEqual(none);
    expect(match([payment(1, { created_at: '2026-04-28T08:14:59.999Z' })])).toEqual(none);
    expect(match([payment(1, { minor: '36157' })])).toEqual(none);
    expect(match([payment(1, { currency: 'EUR' })])).toEqual(none);
  });

  it('is no failed payment, and nothing but a payment', () => {
    const others = [{ status: 'EXC' }, { status: 'PEND' }, { tx_action: 'REFUND' }, { tx_action: 'PAYOUT' }] as const;
    expect(match(others.map((change, index) => payment(index, { ...change, arn: disputed().arn })))).toEqual(none);
    expect(match([payment(1, { tx_action: 'PREAUTH' })])).toEqual(one(1));
  });

  it('is not decided where several can be it', () => {
    expect(match([payment(1), payment(2)])).toEqual(many(1, 2));
    expect(match([payment(1, { auth_code: '387373' }), payment(2, { auth_code: '387373' }), payment(3)])).toEqual(
      many(1, 2),
    );
  });

  it('is not decided by amount where not all payments were looked at', () => {
    expect(matchPayments(disputed(), [payment(1)], false)).toEqual(many(1));
    expect(matchPayments(disputed(), [payment(1, { arn: disputed().arn })], false)).toEqual(one(1));
  });
});

it('reads the ends of an alert’s card', () => {
  expect(endsOfCard('411111xxxxxx1111')).toEqual({ first6: '411111', last4: '1111' });
  expect(endsOfCard('')).toBeUndefined();
});

it('looks for payments a month around the alert’s date', () =>
  expect(paymentSearchSpan(disputed())).toEqual({ from: '2026-03-30T08:15:00.000Z', to: '2026-05-31T08:15:00.000Z' }));
