import { keys } from '#core/platform/table/keys.ts';
import { getItems } from '#core/platform/table/table.ts';
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
