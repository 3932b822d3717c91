import { nowIso } from '#core/kernel/clock.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { visibleOrRefuse } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems, transact } from '#core/platform/table/table.ts';
import { type AlertPrice, type AlertPrices, maxPrices } from './price.ts';
import { fromPricesItem, pricesWrite } from './price-row.ts';

/** A merchant's prices, for a caller. Throws merchant_not_found also if the caller may not see the merchant. */
export const pricesForCaller = async (mid: number, caller: Caller): Promise<AlertPrices> => {
  const [merchant, item] = await getItems([keys.merchant(mid), keys.alertPrices(mid)]);
  visibleOrRefuse(merchant && { mid }, caller, 'merchant_not_found', 'mid: you have no such merchant.');
  return fromPricesItem(item);
};

type NewPrice = Omit<AlertPrice, 'setAt' | 'setBy' | 'from'> & { from: string | undefined };

/**
 * Adds a price after those that a merchant has; it applies from now on unless it gives a later time. Alerts already received keep
 * their price. Throws merchant_not_found, request_invalid, prices_full, changed_meanwhile.
 */
export const addPrice = (mid: number, { from, ...price }: NewPrice, caller: Caller): Promise<AlertPrices> =>
  retryOnConflict(
    async () => {
      const before = await pricesForCaller(mid, caller);
      const setAt = nowIso();
      if (from !== undefined && from.slice(0, 10) < setAt.slice(0, 10)) {
        throw new Refusal(
          'request_invalid',
          'from: must not be before today; alerts that were received keep their price',
        );
      }
      if (before.list.length >= maxPrices)
        throw new Refusal('prices_full', `A merchant can have at most ${maxPrices} prices.`);
      const added = { ...price, from: from ?? setAt, setAt, setBy: caller.subject };
      const after = { list: [...before.list, added], version: before.version + 1 };
      await transact({ prices: pricesWrite(mid, after) });
      return after;
    },
    { onExhausted: changedMeanwhile },
  );
