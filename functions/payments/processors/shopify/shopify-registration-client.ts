import * as v from 'valibot';
import type { RegistrationOf } from '../ports/account.ts';
import { troubleOfAnswer } from '../ports/json-exchange-client.ts';
import { askShopify } from './shopify-exchange-client.ts';

const topics = ['DISPUTES_CREATE', 'DISPUTES_UPDATE', 'ORDER_TRANSACTIONS_CREATE'];

const Made = v.object({
  webhookSubscriptionCreate: v.object({ userErrors: v.array(v.object({ message: v.string() })) }),
});

/**
 * Shopify signs with the client secret, so there is no key to store, and an app may have one subscription of a topic to an address:
 * https://shopify.dev/docs/api/admin-graphql/latest/mutations/webhookSubscriptionCreate
 */
export const shopifyRegistrationOf: RegistrationOf = async ({ open }, { url: uri }) => {
  const ask = askShopify(open('shopify'));
  for (const topic of topics) {
    const answer = await ask('subscribe', { topic, uri });
    const { success, output } = v.safeParse(Made, 'body' in answer ? answer.body : undefined);
    if (!success) return troubleOfAnswer('shopify', answer);
    const isRefused = output.webhookSubscriptionCreate.userErrors.some(({ message }) => !/taken/i.test(message));
    if (isRefused) return { problem: 'unavailable', detail: `shopify refused the address for ${topic}` };
  }
  return { keys: {} };
};
