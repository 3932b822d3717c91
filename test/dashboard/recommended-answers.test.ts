import { describe, expect, it } from 'vitest';
import type { Advised } from '#lib/dashboard/screens/alert-facts.ts';
import { planAnswer } from '#lib/dashboard/screens/recommended-answers.ts';

const now = Date.parse('2026-11-24T15:00:00Z');
const alert = {
  ...{ alert_id: 1, amount: '64.00', currency: 'USD', alert_type: 'FRAUD', condition_code: '', provider: 'provider_a' },
  ...{ transaction_timestamp: '2026-11-20T10:00:00Z', case: { refunds: [] } },
};
const charge = (change: object = {}) => ({
  ...{
    connection: 'cn_1',
    reference: 'ch_1',
    txid: null,
    currency: 'USD',
    settled: true,
    refundable: '64.00',
    refunded: '0',
  },
  ...{ matches: true, charged_back: false, kind: 'stripe', ...change },
});
const codes = [
  { reason_code: '957.002', meaning: 'delivered', outcome: 'DECLINED', needs: [] },
  { reason_code: '900.002', meaning: 'other', outcome: 'DECLINED', needs: ['comments'] },
  { reason_code: '940.002', meaning: 'a duplicate', outcome: 'DECLINED', needs: ['duplicate_alertid'] },
] as unknown as Parameters<typeof planAnswer>[1];

/** What was read of an alert; its types are wider than what a plan reads. */
const advised = (verb: string, { match = 'one', transactions = [charge()], own = [] as string[] } = {}): Advised =>
  ({
    facts: { alert, payment: undefined, order: undefined },
    charges: { match, transactions, unasked: [] },
    advice: { verb, title: 'Refund. You bear fraud.', reasons: [], codes: own },
  }) as unknown as Advised;

describe('applying a recommendation', () => {
  it('refunds what is certain', () =>
    expect(planAnswer(advised('refund'), codes, now)).toMatchObject({
      ...{ kind: 'refund', why: 'You bear fraud.', refund: { amount: '64.00', body: { reference: 'ch_1' } } },
    }));

  it.each([
    ['a guess', { match: 'none' }],
    ['one of several', { match: 'many', transactions: [charge(), charge({ reference: 'ch_2' })] }],
    ['a charge that was charged back', { transactions: [charge({ charged_back: true })] }],
    ['a charge of which only a part is left', { transactions: [charge({ refundable: '10.00' })] }],
    [
      'a charge of more, which has to be refunded whole',
      { transactions: [charge({ settled: false, refundable: '100.00' })] },
    ],
    ['a charge in another currency', { transactions: [charge({ currency: 'EUR', refundable: '500.00' })] }],
    ['a charge of which nothing is left', { transactions: [charge({ refundable: '0' })] }],
  ])('leaves %s to a person', (_, found) => expect(planAnswer(advised('refund', found), codes, now).kind).toBe('left'));

  it('declines with the best code that the network takes', () =>
    expect(planAnswer(advised('decline', { own: ['954.002', '957.002'] }), codes, now)).toMatchObject({
      ...{ kind: 'decline', code: { reason_code: '957.002' } },
    }));

  it.each([['900.002'], ['940.002'], ['902.002']])('leaves a decline by %s to a person', (code) =>
    expect(planAnswer(advised('decline', { own: [code] }), codes, now).kind).toBe('left'),
  );

  it.each(['already', 'decide'])('leaves what needs a person: %s', (verb) =>
    expect(planAnswer(advised(verb), codes, now).kind).toBe('left'),
  );
});
