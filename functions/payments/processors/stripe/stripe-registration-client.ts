import { randomText } from '#core/kernel/ids.ts';
import type { RegistrationOf } from '../ports/account.ts';
import { patienceMilliseconds } from '../ports/connected-processor.ts';
import { askStripe } from './stripe-charges-client.ts';
import { stripePackage } from './stripe-package-client.ts';

/** docs/chargebacks.md says what each is for. */
const events = [
  ...(['charge.dispute.created', 'charge.dispute.updated', 'charge.dispute.closed'] as const),
  ...(['radar.early_fraud_warning.created', 'refund.failed', 'refund.updated'] as const),
];

/** Stripe shows the secret of an endpoint only when that is made: https://docs.stripe.com/api/webhook_endpoints/create */
export const stripeRegistrationOf: RegistrationOf = async ({ open }, { url, name }) => {
  const { webhookEndpoints: endpoints } = stripePackage(open('stripe'), patienceMilliseconds);
  const wanted = { url, enabled_events: events, description: name };
  const made = await askStripe(() => endpoints.create(wanted, { idempotencyKey: `fw-${randomText(20)}` }));
  if ('problem' in made) return made;
  const { id, secret } = made.answer;
  if (!secret) return { problem: 'unavailable', detail: 'stripe gave no signing secret' };
  const retire = () =>
    askStripe(async () => {
      for await (const one of endpoints.list({ limit: 100 })) {
        if (one.url === url && one.id !== id) await endpoints.del(one.id);
      }
    });
  return { keys: { webhook_secret: secret }, retire };
};
