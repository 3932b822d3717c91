import { fromSiteItem } from '#accounts/merchants/site/site-row.ts';
import { openRcodes } from '#accounts/merchants/site/site-store.ts';
import { checkProof } from '#accounts/merchants/site/site-type.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems } from '#core/platform/table/table.ts';
import { isSigned, proofWrong, rcodeOfProof, type SiteProof } from '#payments/payments/order/site-proof.ts';
import { detailsHash } from '../payer/replies.ts';
import type { Authentication } from './authentication.ts';
import { fromAuthenticationItem, fromValueItem, isAuthenticationExpired } from './authentication-row.ts';

export type Details = { authentication: Authentication; value: string | null; rcode: string };

/**
 * An authentication for its site's server, with its value as long as that is kept. One call of the table. A site that does not
 * exist is answered like a wrong hash, another site's authentication like none. Throws hash_wrong, authentication_not_found.
 */
export const readAuthenticationDetails = async (
  sid: number,
  { id, proof }: { id: number; proof: SiteProof },
): Promise<Details> => {
  const ring = await keyRing('encryption');
  const [siteItem, item, value] = await getItems([
    keys.site(sid),
    keys.authentication(id),
    keys.authenticationValue(id),
  ]);
  const site = siteItem && fromSiteItem(siteItem);
  const rcodes = await openRcodes(site, nowIso());
  const rcode = rcodeOfProof(proof, rcodes, (one) => detailsHash(sid, id, one));
  if (!site || rcode === undefined) {
    throw proofWrong(proof, 'hash: must be md5 of sid, authentication_id and rcode, joined.');
  }
  checkProof(site, { isSigned: isSigned(proof) });
  const authentication = item && !isAuthenticationExpired(item, nowIso()) ? fromAuthenticationItem(item) : undefined;
  if (authentication?.sid !== sid) {
    throw new Refusal('authentication_not_found', 'authentication_id: the site has no such authentication.');
  }
  return { authentication, value: fromValueItem(id, value, ring, nowIso()), rcode };
};
