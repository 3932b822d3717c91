import type { Fixture } from '#test/flows/bad-calls.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

/** Both operations about a customer name it in the same way. */
export const customerCalls = ({ unmatchedId }: Fixture) => ({
  wrongBody: { purchase_id: ['x', undefined], alert_id: ['x'], chargeback_id: ['c'.repeat(65)] },
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
