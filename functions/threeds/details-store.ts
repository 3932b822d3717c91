import { nowIso } from '../core/clock.ts';
import { Refusal } from '../core/errors.ts';
import { keys } from '../core/keys.ts';
import { keyRing } from '../core/secrets.ts';
import { getItems } from '../core/table.ts';
import { fromSiteItem } from '../merchants/site-row.ts';
import { rcodesOf } from '../merchants/site-store.ts';
import { rcodeOfHash } from '../payments/hashes.ts';
import type { Authentication } from './authentication.ts';
import { fromAuthenticationItem, fromValueItem, isOver } from './authentication-row.ts';
import { detailsHash } from './replies.ts';

export type Details = { authentication: Authentication; value: string | null; rcode: string };

/**
 * An authentication for its site's server, with its value as long as that is kept. One call of the table. A site that does not
 * exist is answered like a wrong hash, another site's authentication like none. Throws hash_wrong, authentication_not_found.
 */
export const detailsOf = async (sid: number, { id, hash }: { id: number; hash: string }): Promise<Details> => {
  const ring = await keyRing('encryption');
  const [siteItem, item, value] = await getItems([
    keys.site(sid),
    keys.authentication(id),
    keys.authenticationValue(id),
  ]);
  const site = siteItem && fromSiteItem(siteItem);
  const rcodes = await rcodesOf(site, nowIso());
  const rcode = rcodeOfHash(hash, rcodes, (one) => detailsHash(sid, id, one));
  if (rcode === undefined)
    throw new Refusal('hash_wrong', 'hash: must be md5 of sid, authentication_id and rcode, joined.');
  const authentication = item && !isOver(item, nowIso()) ? fromAuthenticationItem(item) : undefined;
  if (authentication?.sid !== sid) {
    throw new Refusal('authentication_not_found', 'authentication_id: the site has no such authentication.');
  }
  return { authentication, value: fromValueItem(id, value, ring, nowIso()), rcode };
};
