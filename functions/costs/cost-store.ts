import { fromAlertItem } from '../alerts/alert-row.ts';
import { type AlertCost, costAfter } from '../alerts/cost/cost.ts';
import { costWrite, fromCostItem } from '../alerts/cost/cost-row.ts';
import { nowIso } from '../core/clock.ts';
import { retryOnConflict } from '../core/conflict-store.ts';
import { keys } from '../core/keys.ts';
import { getItems, queryItems, transact } from '../core/table.ts';
import type { CostChange, CostDay } from './cost-day.ts';
import { costDayWrites, fromCostDayItem } from './cost-day-row.ts';
import { type AlertPrices, noPrices, priceAt } from './price.ts';
import { fromPricesItem } from './price-row.ts';

/** An alert needs one part for its cost and at most four for its days; a transaction takes a hundred parts. */
const alertsAtOnce = 20;

/**
 * Brings the costs of alerts up to date with the alerts. May be called for an alert any number of times, from anywhere and in
 * any order: both rows are read anew, and a cost is written with the days it counts on, on condition that it has not changed since
 * it was read.
 */
export const keepCosts = async (alertIds: readonly number[]): Promise<void> => {
  const unique = [...new Set(alertIds)];
  for (let from = 0; from < unique.length; from += alertsAtOnce) {
    await keepSome(unique.slice(from, from + alertsAtOnce));
  }
};

const keepSome = (alertIds: readonly number[]): Promise<void> =>
  retryOnConflict(async () => {
    const at = nowIso();
    const changes = await changesOf(alertIds, at);
    if (changes.length > 0) await saveCosts(changes, at);
  });

/** Writes changed costs and what they add to their days. Throws ConditionFailed. `at`: ISO. */
export const saveCosts = (changes: readonly CostChange[], at: string): Promise<void> =>
  transact([...changes.map(({ after }) => costWrite(after)), ...costDayWrites(changes, at)]);

const changesOf = async (alertIds: readonly number[], at: string): Promise<CostChange[]> => {
  const items = await getItems(alertIds.flatMap((id) => [keys.alert(id), keys.alertCost(id)]));
  const pairs = alertIds.flatMap((_, index) => {
    const [item, costItem] = [items[2 * index], items[2 * index + 1]];
    return item ? [{ alert: fromAlertItem(item), before: fromCostItem(costItem) }] : [];
  });
  const prices = await pricesOf(pairs.flatMap(({ alert, before }) => (before ? [] : (alert.owner?.mid ?? []))));
  return pairs.flatMap(({ alert, before }) => {
    const own = prices.get(alert.owner?.mid ?? 0) ?? noPrices;
    const after = costAfter(before, alert, () => priceAt(own, alert.providerAlert, alert.receivedAt), at);
    return after ? [{ before, after }] : [];
  });
};

const pricesOf = async (mids: readonly number[]): Promise<Map<number, AlertPrices>> => {
  const unique = [...new Set(mids)];
  const items = unique.length > 0 ? await getItems(unique.map((mid) => keys.alertPrices(mid))) : [];
  return new Map(unique.map((mid, index) => [mid, fromPricesItem(items[index])]));
};

/** The cost of an alert; undefined if it is not paid for. */
export const costOf = async (alertId: number): Promise<AlertCost | undefined> => {
  await keepCosts([alertId]);
  const [item] = await getItems([keys.alertCost(alertId)]);
  return fromCostItem(item);
};

/** The days of a merchant (`M1`) or a site (`S1`) from one to another, both included: one query per megabyte. */
export const costDays = async (owner: string, from: string, to: string): Promise<CostDay[]> => {
  const [first, last] = [keys.costDay(owner, from), keys.costDay(owner, to)];
  const days: CostDay[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const { items, lastKey } = await queryItems({
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: { ':pk': first.pk, ':first': first.sk, ':last': last.sk },
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    });
    days.push(...items.map(fromCostDayItem));
    ExclusiveStartKey = lastKey;
  } while (ExclusiveStartKey);
  return days;
};
