import { fromSiteItem } from '#accounts/merchants/site/site-row.ts';
import { openSecrets } from '#accounts/merchants/site/site-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { chatHeaders, makeHeaders } from './attempt/attempt.ts';
import { bodyFor } from './attempt/body-format.ts';
import { bodyNow } from './attempt/body-store.ts';
import { type Delivery, maskUrl, targetUrl } from './delivery/delivery.ts';
import { isChat } from './delivery/delivery-policy.ts';

/** A delivery as an attempt of this moment would send it, without the site's token. `at`: ISO. */
export const prepareRequest = async (delivery: Delivery, at: string) => {
  const item = await getItem(keys.site(delivery.sid));
  if (!item) throw new Error(`Site ${delivery.sid} of ${delivery.id} is gone`);
  const site = fromSiteItem(item);
  const { token, signingSecrets, chatUrls } = await openSecrets(site, at);
  const sent = bodyFor({ ...delivery, body: await bodyNow(delivery, at) }, site.alert);
  const url = targetUrl(delivery, site.alert, chatUrls);
  const shown = { method: 'POST' as const, url: url && maskUrl(delivery.kind, url), body: sent.body };
  if (isChat(delivery.kind)) return { ...shown, headers: chatHeaders(sent), token_set: false };
  // With a token, the username is not sent, and the token is not shown.
  const username = token === null ? (site.alert?.username ?? '') : '';
  return {
    ...shown,
    headers: makeHeaders(
      { id: delivery.messageId ?? delivery.id, ...sent },
      { signingSecrets, token: null, username },
      at,
    ),
    token_set: token !== null,
  };
};
