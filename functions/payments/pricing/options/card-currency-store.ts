import type { Site } from '#accounts/merchants/site/site.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems } from '#core/platform/table/table.ts';
import { rangesUnder } from '#payments/fraud/bins/bins.ts';
import { fromBinsItem } from '#payments/fraud/bins/bins-row.ts';
import type { Cart } from '#payments/payments/order/cart.ts';
import { convert } from '../rates/conversion.ts';
import { rateBetween } from '../rates/conversion-store.ts';
import { currencyOfCountry } from './country-currency.ts';

/** A cart in another currency, and the rate to it, margin included. Each amount is rounded by itself, the total too. */
export type LocalCart = { cart: Cart; rate: string };

const convertCart = (cart: Cart, currency: string, rate: string): Cart => {
  const inIt = (minor: bigint): bigint => convert({ minor, currency: cart.currency }, currency, rate).minor;
  return {
    ...cart,
    currency,
    units: cart.units.map(inIt),
    lines: cart.lines.map(inIt),
    shipping: inIt(cart.shipping),
    tax: inIt(cart.tax),
    coupon: inIt(cart.coupon),
    total: inIt(cart.total),
  };
};

/**
 * A cart in the currency of the country in which cards with this BIN were issued; undefined if that is not known, is the
 * cart's own, or has no exchange rate.
 */
export const cartInCardCurrency = async (bin: string, cart: Cart, site: Site): Promise<LocalCart | undefined> => {
  const [bins] = await getItems([keys.bins(bin.slice(0, 6))]);
  const [country, ...others] = new Set(rangesUnder(fromBinsItem(bins), bin).map((range) => range.country));
  const currency = country === undefined || others.length > 0 ? undefined : currencyOfCountry(country);
  if (currency === undefined || currency === cart.currency) return undefined;
  const rate = await rateBetween(site, cart.currency, currency);
  return rate === undefined ? undefined : { cart: convertCart(cart, currency, rate), rate };
};
