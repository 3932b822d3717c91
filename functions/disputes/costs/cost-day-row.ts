import type { Addition } from '#core/platform/table/additions-row.ts';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { daySumPrefix } from '#disputes/alerts/cost/cost-row.ts';
import { type CostChange, type CostDay, listAddends } from './cost-day.ts';

/** Returns the additions of cost changes to the days on which they count. `at`: ISO. */
export const costDayAdditions = (change: CostChange, at: string): Addition[] =>
  listAddends(change, at).map(({ owner, day, attribute, n }) => ({
    key: keys.alertDay(owner, day),
    fixed: { entity: 'REPORT' },
    attribute: `${daySumPrefix}${attribute}`,
    n,
  }));

/** Reads a day back; undefined if nothing was counted on it. */
export const fromAlertDayItem = (item: Item): CostDay | undefined => {
  const costs = Object.entries(item).filter(([name]) => name.startsWith(daySumPrefix));
  const counted = Object.fromEntries(costs.map(([name, n]) => [name.slice(daySumPrefix.length), n]));
  return costs.length > 0 ? { day: String(item['sk']).slice('DAY#'.length), counted } : undefined;
};

/** Reads a day back that an earlier release has counted, in a row of its own. */
export const fromCostDayItem = (item: Item): CostDay => ({ day: String(item['day']), counted: item });
