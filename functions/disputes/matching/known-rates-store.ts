import type { Money } from '#core/kernel/money/money.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems } from '#core/platform/table/table.ts';
import { convert } from '#payments/pricing/rates/conversion.ts';
import { fromRateItem } from '#payments/pricing/rates/rate-row.ts';
import type { RateOf } from './match-evidence.ts';

/** The exchange rates in force from a currency to others. Reads nothing if all charges are in that currency. */
export const knownRates = async (from: string, charges: readonly string[]): Promise<RateOf> => {
  const others = [...new Set(charges)].filter((currency) => currency !== from && from !== '');
  const items = await getItems(others.map((to) => keys.currentRate(from, to)));
  const rates = new Map(items.map((item, index) => [others[index], fromRateItem(item)?.rate]));
  return (source, to) => {
    const rate = source === from ? rates.get(to) : undefined;
    return rate === undefined ? undefined : Number(rate);
  };
};

/** An amount in another currency by the rate in force; undefined if there is none. */
export const convertKnown = async (money: Money, to: string): Promise<Money | undefined> => {
  if (money.currency === to) return money;
  const rate = fromRateItem(await getItem(keys.currentRate(money.currency, to)));
  return rate && convert(money, to, rate.rate);
};
