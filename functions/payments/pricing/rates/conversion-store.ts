import { fromRetailerItem } from '#accounts/merchants/merchant/merchant-row.ts';
import type { Site } from '#accounts/merchants/site/site.ts';
import type { Money } from '#core/kernel/money/money.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems } from '#core/platform/table/table.ts';
import { ownCurrency } from '../options/payment-site.ts';
import { type Conversion, convertForSite, findMargin, rateWithMargin } from './conversion.ts';
import type { Rate } from './rate.ts';
import { fromRateItem } from './rate-row.ts';

/** A payment in the currency that the site's payments are made in. Throws rate_missing, request_invalid. */
export const convertToSite = async (
  money: Money,
  site: Site,
): Promise<{ charged: Money; conversion: Conversion | null }> => {
  const descriptorCurrency = ownCurrency(site) ?? money.currency;
  if (descriptorCurrency === money.currency) return { charged: money, conversion: null };
  const { rate, margin } = await rateAndMargin(site, money.currency, descriptorCurrency);
  const converted = convertForSite({ money, descriptorCurrency, rate, margin });
  if (typeof converted === 'string') throw new Refusal('request_invalid', converted);
  return converted;
};

/**
 * The currency that a site's payments are made in (its own, else the cart's) and the rate to it, margin included; `1` where
 * they are the same. Throws rate_missing.
 */
export const chargedRate = async (site: Site, cartCurrency: string): Promise<{ currency: string; rate: string }> => {
  const currency = ownCurrency(site) ?? cartCurrency;
  if (currency === cartCurrency) return { currency, rate: '1' };
  const { rate, margin } = await rateAndMargin(site, cartCurrency, currency);
  return { currency, rate: rateWithMargin(rate.rate, margin) };
};

/** The rate between two currencies with the margin of a site; undefined if there is none. */
export const rateBetween = async (site: Site, from: string, to: string): Promise<string | undefined> => {
  const { rate, margin } = await readRate(site, from, to);
  return rate && rateWithMargin(rate.rate, margin);
};

/** The rate in force between two currencies, and the margin that a site puts on it, in percent. */
const rateAndMargin = async (site: Site, from: string, to: string): Promise<{ rate: Rate; margin: string }> => {
  const { rate, margin } = await readRate(site, from, to);
  if (!rate) throw new Refusal('rate_missing', `There is no exchange rate from ${from} to ${to}.`);
  return { rate, margin };
};

const readRate = async ({ rid, payment }: Site, from: string, to: string) => {
  const [rateItem, retailer] = await getItems([keys.currentRate(from, to), keys.retailer(rid)]);
  return { rate: fromRateItem(rateItem), margin: findMargin(payment, fromRetailerItem(retailer)?.profile) };
};
