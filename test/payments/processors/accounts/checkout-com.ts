import { startFakeCheckoutCom } from '#test/support/fake-checkout-com.ts';
import type { StartStandIn } from '../stand-in.ts';

export const standIn: StartStandIn = async () => {
  const checkout = await startFakeCheckoutCom();
  const { secretKey: secret_key, webhookKey: webhook_key, url: base_url } = checkout;
  return {
    credentials: null,
    connectionKeys: { secret_key, webhook_key, base_url, prefix: '12345678' },
    dispute: (reference) => [checkout.webhook('dispute_received', { id: checkout.dispute(reference).id })],
    charge: () => checkout.payment({ minor: 1999 }).id,
    stop: () => checkout[Symbol.asyncDispose](),
  };
};
