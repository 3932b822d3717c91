import type { AlertCost, Priced } from '#disputes/alerts/cost/cost.ts';
import { type ProviderAlert, signingProviders } from '#disputes/providers/providers.ts';

/** Providers whose alerts are paid for. */
export const pricedProviders = signingProviders.map(({ name }) => name);
type PricedProvider = (typeof pricedProviders)[number];

/** The price of an alert of a kind for a merchant, from a time on. */
export type AlertPrice = {
  provider: PricedProvider;
  /** Null: any tier, or none. */
  tier: string | null;
  /** Null: every type. */
  alertType: AlertCost['type'] | null;
  price: string;
  currency: string;
  /** ISO; it applies to alerts received from then on. */
  from: string;
  setAt: string;
  setBy: string;
};

/** A merchant's prices in the order in which they were set. None is ever changed: a correction is added after it. */
export type AlertPrices = { list: readonly AlertPrice[]; version: number };
export const noPrices: AlertPrices = { list: [], version: 0 };
export const maxPrices = 500;

const exactness = ({ tier, alertType }: AlertPrice): number => (tier === null ? 0 : 2) + (alertType === null ? 0 : 1);

const compareText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/** Orders prices by precedence, the first one first. */
const byRank = (left: AlertPrice, right: AlertPrice): number =>
  exactness(right) - exactness(left) || compareText(right.from, left.from) || compareText(right.setAt, left.setAt);

/**
 * The price of an alert when it was received (ISO); null if none was set by then. A price for its tier and type takes precedence over
 * one for its tier, then its type, then the provider; among equals, the one that begins last, then the one set last.
 */
export const priceAt = (
  { list }: AlertPrices,
  { provider, tier, type }: Pick<ProviderAlert, 'provider' | 'tier' | 'type'>,
  receivedAt: string,
): Priced | null => {
  const [first] = list
    .filter(
      (price) =>
        price.provider === provider &&
        (price.tier === null || price.tier === tier) &&
        (price.alertType === null || price.alertType === type) &&
        price.from <= receivedAt &&
        price.setAt <= receivedAt,
    )
    .toSorted(byRank);
  return first ? { amount: first.price, currency: first.currency } : null;
};

/** On the wire. */
export const toPriceDto = ({ provider, tier, alertType, price, currency, from, setAt, setBy }: AlertPrice) => ({
  provider,
  tier,
  alert_type: alertType,
  price,
  currency,
  from,
  set_at: setAt,
  set_by: setBy,
});
