import type { Fixture } from '#test/flows/bad-calls.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

const fee = { processor: 'stripe', currency: 'USD', dispute_fee: '15.00', counter_fee: '15.00' };

export const badCalls = ({ otherTenant, site: { mid } }: Fixture): BadCalls => ({
  params: { mid },
  body: { chargeback_fees: [fee] },
  wrongParams: { mid: ['none'] },
  wrongBody: { chargeback_fees: ['none', [fee, fee]] },
  wrong: [
    { body: { chargeback_fees: [{ ...fee, processor: 'a bank' }] }, names: 'chargeback_fees.0.processor' },
    { body: { chargeback_fees: [{ ...fee, dispute_fee: '15.001' }] }, names: 'chargeback_fees.0.dispute_fee' },
    { body: { chargeback_fees: [{ ...fee, counter_fee: '-1' }] }, names: 'chargeback_fees.0.counter_fee' },
    { body: { chargeback_fees: [{ ...fee, currency: 'XXZ' }] }, names: 'chargeback_fees.0.currency' },
  ],
  refused: { merchant_not_found: { params: { mid: otherTenant.mid } }, changed_meanwhile: 'race' },
});
