import type { Fixture } from '#test/flows/bad-calls.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = ({ site: { sid }, otherTenant, paymentSid }: Fixture): BadCalls => ({
  body: { sid },
  wrongBody: { sid: ['x'], from: ['yesterday'], to: [7], rules: ['none'], caught_percent: [101] },
  wrong: [
    { body: { chargeback_cost: { amount: '1.00' } }, names: 'chargeback_cost.currency' },
    { body: { alert_price: { amount: 'x', currency: 'USD' } }, names: 'alert_price.amount' },
  ],
  refused: {
    site_not_found: { body: { sid: otherTenant.sid } },
    site_not_for_alerts: { body: { sid: paymentSid } },
  },
});
