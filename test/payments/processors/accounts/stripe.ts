import { startFakeStripe } from '#test/support/fake-stripe.ts';
import type { StartStandIn } from '../stand-in.ts';

export const standIn: StartStandIn = async () => {
  const stripe = await startFakeStripe();
  const keys = { secret_key: stripe.secretKey, webhook_secret: stripe.webhookSecret, base_url: stripe.url };
  return {
    credentials: keys,
    connectionKeys: keys,
    webhook: ({ reference }) => stripe.webhook({ id: reference }),
    dispute: (reference) => {
      const intent = stripe.intents.get(reference);
      const charge = stripe.elsewhere.charges.get(reference);
      if (intent) return [stripe.webhook({ ...stripe.disputes.open(intent) })];
      if (!charge) throw new Error(`There is no charge ${reference}`);
      const { intent: id, amount, currency } = charge;
      const dispute = stripe.disputes.open({ id, amount, currency, latest_charge: { id: reference } });
      return [stripe.webhook({ ...dispute })];
    },
    charge: () => stripe.elsewhere.add({ minor: 1999, number: '4111111111111111' }).id,
    stop: () => stripe[Symbol.asyncDispose](),
  };
};
