import type { Fixture } from '#test/flows/bad-calls.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

/** Both operations about a customer name it in the same way. */
export const customerCalls = ({ unmatchedId }: Fixture) => ({
  wrong: [
    { body: { purchase_id: 'x' }, names: 'purchase_id' },
    { body: { purchase_id: undefined }, names: 'purchase_id' },
    { body: { alert_id: 'x' }, names: 'alert_id' },
    { body: { chargeback_id: 'c'.repeat(65) }, names: 'chargeback_id' },
  ],
  refused: {
    order_not_found: { body: { purchase_id: 1 } },
    alert_not_found: { body: { purchase_id: undefined, alert_id: unmatchedId } },
    chargeback_not_found: { body: { purchase_id: undefined, chargeback_id: 'cb_none' } },
  },
});

export const badCalls = (fixture: Fixture): BadCalls => ({
  body: { purchase_id: fixture.orderId },
  ...customerCalls(fixture),
});
