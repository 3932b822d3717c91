import type { AlertCost, Priced } from '../alerts/cost/cost.ts';
import type { AlertProvider, ProviderAlert } from '../alerts/intake/provider-alert.ts';

/** Providers whose alerts are paid for. */
export const pricedProviders = ['provider_a', 'provider_b', 'rdr'] as const satisfies readonly AlertProvider[];
export type PricedProvider = (typeof pricedProviders)[number];

/** What a merchant pays for an alert of a kind, from a time on. */
export type AlertPrice = {
  provider: PricedProvider;
  /** Null: whatever the provider says, or if it says none. */
  tier: string | null;
  /** Null: of every type. */
  alertType: AlertCost['type'] | null;
  price: string;
  currency: string;
  /** ISO; it holds for alerts received from then on. */
  from: string;
  setAt: string;
  setBy: string;
};

/** A merchant's prices in the order in which they were set. None is ever changed: what corrects one stands behind it. */
export type AlertPrices = { list: readonly AlertPrice[]; version: number };
export const noPrices: AlertPrices = { list: [], version: 0 };
export const mostPrices = 500;

const exactness = ({ tier, alertType }: AlertPrice): number => (tier === null ? 0 : 2) + (alertType === null ? 0 : 1);

const compareText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/** From the one that holds before all others. */
const byRank = (left: AlertPrice, right: AlertPrice): number =>
  exactness(right) - exactness(left) || compareText(right.from, left.from) || compareText(right.setAt, left.setAt);

/**
 * The price of an alert when it was received (ISO); null if none was set by then. That of its tier and type stands before that of
 * its tier, that before its type's, and all before the provider's; of equals the one that begins last, then the one set last.
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
