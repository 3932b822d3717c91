import { nowIso, nowMilliseconds } from '../core/clock.ts';
import { required } from '../core/environment.ts';
import { Refusal } from '../core/errors.ts';
import { keys } from '../core/keys.ts';
import { formatAmount, type Money } from '../core/money.ts';
import { getItems, type Item } from '../core/table.ts';
import { fromRetailerItem } from '../merchants/merchant-row.ts';
import type { Site } from '../merchants/site.ts';
import { fromSiteItem } from '../merchants/site-row.ts';
import { openSecrets } from '../merchants/site-store.ts';
import { orderHash, rcodeOfHash, timestampProblem } from '../transactions/hashes.ts';
import { marginOf, rateWithMargin } from './conversion.ts';
import { fromSiteFeesItem } from './fee-row.ts';
import { anything, type RouteLimits } from './options.ts';
import { hasRcode, ownCurrency, type PaymentSite } from './payment-site.ts';
import type { Rate } from './rate.ts';
import { fromRateItem } from './rate-row.ts';

/** The payment site that a caller knows the rcode of. Throws rcode_wrong (also where there is no site), site_not_for_payments. */
export const siteByRcode = async (sid: number, rcode: string): Promise<PaymentSite> => {
  const found = await readSite(sid);
  if (!found || !hasRcode(found.site, rcode, nowIso())) {
    throw new Refusal('rcode_wrong', 'rcode: send the rcode of the site.');
  }
  return forPayments(found);
};

/** A site by its number, before anything shows that the caller may use it; undefined if there is none. */
export const readSite = async (sid: number): Promise<PaymentSite | undefined> => {
  const [site, processors, fees] = await getItems([keys.site(sid), keys.siteProcessors(sid), keys.siteFees(sid)]);
  if (!site) return undefined;
  return { site: fromSiteItem(site), routes: routesOf(processors), fees: fromSiteFeesItem(fees)?.fees ?? [] };
};

type Order = { timestamp: string; total: Money; hash: string };

/** Throws hash_wrong (also where there is no site), site_not_for_payments, request_invalid for a time that is not the present. */
export const admitOrder = async (
  sid: number,
  found: PaymentSite | undefined,
  { timestamp, total, hash }: Order,
): Promise<PaymentSite> => {
  const problem = timestampProblem(timestamp, nowMilliseconds());
  if (problem !== undefined) throw new Refusal('request_invalid', `timestamp: ${problem}`);
  const { rcodes } = found ? await openSecrets(found.site, nowIso()) : { rcodes: [] };
  const order = { sid, timestamp, total: formatAmount(total), currency: total.currency };
  const rcode = rcodeOfHash(hash, rcodes, (one) => orderHash(order, one));
  if (!found || rcode === undefined) {
    throw new Refusal(
      'hash_wrong',
      'hash: must be the md5 of sid, timestamp, total with all decimals, currency and rcode, one after the other.',
    );
  }
  return forPayments(found);
};

const forPayments = (found: PaymentSite): PaymentSite => {
  if (found.site.type === 'payment') return found;
  throw new Refusal('site_not_for_payments', 'Give the site its payment settings first.');
};

/** What a site's processors take; without any, everything where the sandbox steps in for them, else nothing. */
const routesOf = (item: Item | undefined): readonly RouteLimits[] => {
  const routes = item?.['routes'] as readonly RouteLimits[] | undefined;
  if (routes && routes.length > 0) return routes;
  return required('ALLOW_SANDBOX') === 'true' ? [anything] : [];
};

/**
 * The currency that a site's payments are made in (its own, else the cart's) and the rate to it, margin included; `1` where
 * they are the same. Throws rate_missing.
 */
export const gatewayRate = async (site: Site, cartCurrency: string): Promise<{ currency: string; rate: string }> => {
  const currency = ownCurrency(site) ?? cartCurrency;
  if (currency === cartCurrency) return { currency, rate: '1' };
  const { rate, margin } = await rateAndMargin(site, cartCurrency, currency);
  if (!rate) throw new Refusal('rate_missing', `There is no exchange rate from ${cartCurrency} to ${currency}.`);
  return { currency, rate: rateWithMargin(rate.rate, margin) };
};

/** The rate in force between two currencies, if there is one, and the margin that a site puts on it, in percent. */
export const rateAndMargin = async (
  { rid, payment }: Site,
  from: string,
  to: string,
): Promise<{ rate: Rate | undefined; margin: string }> => {
  const [rate, retailer] = await getItems([keys.currentRate(from, to), keys.retailer(rid)]);
  return { rate: fromRateItem(rate), margin: marginOf(payment, fromRetailerItem(retailer)?.profile) };
};
