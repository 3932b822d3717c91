import type { WebhookOf } from '../ports/account.ts';
import { adyenProcessor } from './adyen-client.ts';
import { adyenMemory } from './adyen-store.ts';

/** A site's: the adapter acts on what it reads. */
export const adyenWebhookOf: WebhookOf = ({ open, scope }, call) => {
  const { hmac_key = '', ...access } = open('adyen');
  return adyenProcessor({ ...access, hmac_key }, adyenMemory(scope)).readWebhook(call);
};
