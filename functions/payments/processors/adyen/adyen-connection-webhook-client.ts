import type { WebhookOf } from '../ports/account.ts';
import { rememberNotices } from './adyen-notices-client.ts';
import { adyenMemory } from './adyen-store.ts';
import { eventOfNotice, readNotices } from './adyen-webhook.ts';

/** News of a connection is stored, because it cannot be asked for afterwards. */
export const adyenConnectionWebhookOf: WebhookOf = async ({ open, scope }, call) => {
  const { hmac_key: hmacKey = '', merchant_account: merchantAccount } = open('adyen');
  const notices = readNotices(call.rawBody, { hmacKey, merchantAccount });
  if (notices) await rememberNotices(adyenMemory(scope), notices);
  return notices?.map(eventOfNotice);
};
