import { fromSiteItem } from '#accounts/merchants/site/site-row.ts';
import { openRcodes } from '#accounts/merchants/site/site-store.ts';
import { checkProof, checkTakesPayments } from '#accounts/merchants/site/site-type.ts';
import { nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import type { Money } from '#core/kernel/money/money.ts';
import { optional } from '#core/platform/operation/environment.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems } from '#core/platform/table/table.ts';
import { orderHashes, orderHashWords } from '#payments/payments/order/hashes.ts';
import {
  isSigned,
  proofTimestampProblem,
  proofWrong,
  rcodeOfProof,
  type SiteProof,
} from '#payments/payments/order/site-proof.ts';
import { offeredRoutes } from '#payments/processors/routing/routing.ts';
import { fromSiteProcessorsItem } from '#payments/processors/routing/site-processors-row.ts';
import { fromSiteFeesItem } from '../fees/fee-row.ts';
import { hasRcode, type PaymentSite } from './payment-site.ts';

/** The payment site whose rcode the caller knows. Throws rcode_wrong (also if there is no site), site_not_for_payments. */
export const siteByRcode = async (sid: number, rcode: string): Promise<PaymentSite> => {
  const found = await readSite(sid);
  if (!found || !hasRcode(found.site, rcode, nowIso())) {
    throw new Refusal('rcode_wrong', 'rcode: send the rcode of the site.');
  }
  return forPayments(found);
};

/** A site by its number, before it is known whether the caller may use it; undefined if there is none. */
export const readSite = async (sid: number): Promise<PaymentSite | undefined> => {
  const [site, processors, fees] = await getItems([keys.site(sid), keys.siteProcessors(sid), keys.siteFees(sid)]);
  if (!site) return undefined;
  return {
    site: fromSiteItem(site),
    routes: offeredRoutes(fromSiteProcessorsItem(processors), optional('ALLOW_SANDBOX') === 'true'),
    fees: fromSiteFeesItem(fees)?.fees ?? [],
  };
};

type Order = { timestamp: string | undefined; total: Money; proof: SiteProof };

/** Throws hash_wrong (also if there is no site), site_not_for_payments, request_invalid for a timestamp that is not current. */
export const admitOrder = async (
  sid: number,
  found: PaymentSite | undefined,
  { timestamp, total, proof }: Order,
): Promise<PaymentSite> => {
  const problem = proofTimestampProblem(proof, timestamp, nowMilliseconds());
  if (problem !== undefined) throw new Refusal('request_invalid', `timestamp: ${problem}`);
  const rcodes = await openRcodes(found?.site, nowIso());
  const rcode = rcodeOfProof(proof, rcodes, (one) => orderHashes({ sid, timestamp: timestamp ?? '', total }, one));
  if (!found || rcode === undefined) throw proofWrong(proof, orderHashWords(total));
  checkProof(found.site, { isSigned: isSigned(proof) });
  return forPayments(found);
};

const forPayments = (found: PaymentSite): PaymentSite => {
  checkTakesPayments(found.site);
  return found;
};
