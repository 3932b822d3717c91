import { keys } from '../core/keys.ts';
import { getItem } from '../core/table.ts';
import { fromSiteItem } from '../merchants/site-row.ts';
import { openSecrets } from '../merchants/site-store.ts';
import { type Delivery, maskUrl, urlOf } from '../notifications/delivery.ts';
import { isChat } from '../notifications/policy.ts';
import { chatHeaders, headersOf } from './attempt.ts';
import { bodyFor } from './body-format.ts';
import { bodyNow } from './body-store.ts';

/** A delivery as an attempt of this moment would send it, without the site's token. `at`: ISO. */
export const requestOf = async (delivery: Delivery, at: string) => {
  const item = await getItem(keys.site(delivery.sid));
  if (!item) throw new Error(`Site ${delivery.sid} of ${delivery.id} is gone`);
  const site = fromSiteItem(item);
  const { token, signingSecrets, chatUrls } = await openSecrets(site, at);
  const sent = bodyFor({ ...delivery, body: await bodyNow(delivery, at) }, site.alert);
  const url = urlOf(delivery, site.alert, chatUrls);
  const shown = { method: 'POST' as const, url: url && maskUrl(delivery.kind, url), body: sent.body };
  if (isChat(delivery.kind)) return { ...shown, headers: chatHeaders(sent), token_set: false };
  // Beside a token the username is not sent, and the token is not shown.
  const username = token === null ? (site.alert?.username ?? '') : '';
  return {
    ...shown,
    headers: headersOf(
      { id: delivery.messageId ?? delivery.id, ...sent },
      { signingSecrets, token: null, username },
      at,
    ),
    token_set: token !== null,
  };
};
