import { startFakePayPal } from '#test/support/fake-paypal.ts';
import type { StartStandIn } from '../stand-in.ts';

export const standIn: StartStandIn = async () => {
  const paypal = await startFakePayPal();
  const { clientId: client_id, clientSecret: client_secret, webhookId: webhook_id, url: base_url } = paypal;
  return {
    credentials: null,
    connectionKeys: { client_id, client_secret, webhook_id, base_url, environment: 'test' },
    dispute: (reference) => {
      const { id: dispute_id } = paypal.dispute(reference);
      return [paypal.webhook('CUSTOMER.DISPUTE.CREATED', { dispute_id })];
    },
    charge: () => paypal.capture({ minor: 1999 }).id,
    stop: () => paypal[Symbol.asyncDispose](),
  };
};
