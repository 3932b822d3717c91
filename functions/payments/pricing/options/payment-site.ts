import { type Site, validAt } from '#accounts/merchants/site/site.ts';
import { equalSecrets, sha256 } from '#core/kernel/crypto.ts';
import type { Route } from '#payments/processors/routing/routing.ts';
import type { Fee } from '../fees/fee.ts';

/** A payment site with everything that decides which payments it takes. */
export type PaymentSite = { site: Site; routes: readonly Route[]; fees: readonly Fee[] };

/** Checks whether an rcode is one of a site's at a time (ISO). Compares digests in constant time, so nothing has to be decrypted. */
export const hasRcode = (site: Site, rcode: string, at: string): boolean => {
  const digest = sha256(rcode);
  return validAt(site.rcodes, at).filter((kept) => equalSecrets(kept.digest, digest)).length > 0;
};

/** The currency of a site's payments, if it has one of its own. */
export const ownCurrency = ({ profile: { currency } }: Site): string | undefined =>
  typeof currency === 'string' ? currency : undefined;

/** Checks whether a site takes cards without their security code. */
export const cvvIsOptional = ({ payment }: Site): boolean => Number(payment?.['skip_ccv'] ?? 0) === 1;
