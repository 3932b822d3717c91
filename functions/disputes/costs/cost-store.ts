import { nowIso } from '#core/kernel/clock.ts';
import { type Addition, additionWrites, maxSums, sumsByRow } from '#core/platform/table/additions-row.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems, type Item, type Key, queryItems, transact } from '#core/platform/table/table.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import { fromAlertItem } from '#disputes/alerts/alert-row.ts';
import { type AlertCost, costAfter, isPaidFor } from '#disputes/alerts/cost/cost.ts';
import { fromKeptItem, type Kept, keptWrite } from '#disputes/alerts/cost/cost-row.ts';
import type { CostDay } from './cost-day.ts';
import { costDayAdditions, fromAlertDayItem, fromCostDayItem } from './cost-day-row.ts';
import { type AlertPrices, noPrices, priceAt } from './price.ts';
import { fromPricesItem } from './price-row.ts';

/** The other counts of an alert that are maintained together with its cost. */
export type Also = {
  /** Other rows of the alert that it reads, two at most. */
  rows: (alertId: number) => readonly Key[];
  /** Returns the new state of the counts, and its additions to rows of sums; null: nothing is new. */
  of: (alert: Alert, kept: Kept, rows: readonly (Item | undefined)[]) => Counted | null;
};
type Counted = { kept: Kept; additions: readonly Addition[] };

/** With its cost and two rows more each, as many as one call reads. */
const alertsAtOnce = 25;
/** DynamoDB's limit for one transaction. */
const maxParts = 100;

/**
 * Brings the costs of alerts up to date with the alerts, and the other counts with them. May be called for an alert any number of times,
 * from anywhere and in any order: all rows are read again, and what is kept of an alert is written with the sums it counts in, on condition
 * that it has not changed since it was read.
 */
export const keepCosts = async (alertIds: readonly number[], also?: Also): Promise<void> => {
  const unique = [...new Set(alertIds)];
  for (let from = 0; from < unique.length; from += alertsAtOnce) {
    const some = unique.slice(from, from + alertsAtOnce);
    await retryOnConflict(async () => saveCosts(await planCostChanges(some, nowIso(), also)));
  }
};

/** The rows of an alert as they were read, its new cost, its other new counts, and the additions of both to rows of sums. */
export type AlertCostChange = { read: Kept; cost: AlertCost; kept: Kept; additions: readonly Addition[] };

/**
 * Changes in groups that fit into a transaction each: a row per alert, and the rows of sums they share, each with as many sums as
 * one write takes. One alert alone fits: it adds to seven rows, and to a row a few dozen sums at most, which are its figures and its
 * costs as they were and as they are. Of many alerts each may come with currencies of its own.
 */
const splitByRow = (changes: readonly AlertCostChange[]): AlertCostChange[][] => {
  const groups: { changes: AlertCostChange[]; rows: ReturnType<typeof sumsByRow> }[] = [];
  for (const change of changes) {
    const last = groups.at(-1);
    const rows = sumsByRow(change.additions, last?.rows);
    const fits = [...rows.values()].every(({ size }) => size <= maxSums);
    if (last && fits && last.changes.length + 1 + rows.size <= maxParts) {
      last.changes.push(change);
      last.rows = rows;
    } else groups.push({ changes: [change], rows: sumsByRow(change.additions) });
  }
  return groups.map((group) => group.changes);
};

/** Writes what is kept of alerts and what that adds to sums. Throws ConditionFailedError. */
export const saveCosts = async (changes: readonly AlertCostChange[]): Promise<void> => {
  for (const group of splitByRow(changes)) {
    const kept = group.map(({ read, cost, kept: next }) => keptWrite(read, cost, next));
    await transact({ kept, sums: additionWrites(group.flatMap(({ additions }) => additions)) });
  }
};

/** A changed cost with what it adds to its days. `at`: ISO. */
export const costChange = (read: Kept, cost: AlertCost, at: string): AlertCostChange => ({
  read,
  cost,
  kept: read,
  additions: costDayAdditions({ before: read.cost ?? undefined, after: cost }, at),
});

const planCostChanges = async (alertIds: readonly number[], at: string, also?: Also): Promise<AlertCostChange[]> => {
  const wanted = alertIds.map((id) => [keys.alert(id), keys.alertCost(id), ...(also?.rows(id) ?? [])]);
  const items = await getItems(wanted.flat());
  const size = wanted[0]?.length ?? 0;
  const found = alertIds.flatMap((_, index) => {
    const [item, costItem, ...rows] = items.slice(index * size, (index + 1) * size);
    const alert = item && fromAlertItem(item);
    return alert && isPaidFor(alert) ? [{ alert, kept: fromKeptItem(costItem), rows }] : [];
  });
  const prices = await readPrices(found.flatMap(({ alert, kept }) => (kept.cost ? [] : (alert.owner?.mid ?? []))));
  return found.flatMap(({ alert, kept, rows }) => {
    const own = prices.get(alert.owner?.mid ?? 0) ?? noPrices;
    const price = () => priceAt(own, alert.providerAlert, alert.receivedAt);
    const cost = costAfter(kept.cost ?? undefined, alert, price, at);
    const counted = also?.of(alert, kept, rows) ?? null;
    const written = cost ?? (counted && kept.cost && { ...kept.cost, version: kept.cost.version + 1 });
    if (!written) return [];
    const change = costChange(kept, written, at);
    return [
      counted ? { ...change, kept: counted.kept, additions: [...change.additions, ...counted.additions] } : change,
    ];
  });
};

const readPrices = async (mids: readonly number[]): Promise<Map<number, AlertPrices>> => {
  const unique = [...new Set(mids)];
  const items = unique.length > 0 ? await getItems(unique.map((mid) => keys.alertPrices(mid))) : [];
  return new Map(unique.map((mid, index) => [mid, fromPricesItem(items[index])]));
};

/** Brings the cost of an alert up to date and returns what is kept of it; undefined if it is not paid for. */
export const refreshCost = async (alertId: number): Promise<(Kept & { cost: AlertCost }) | undefined> => {
  await keepCosts([alertId]);
  const [item] = await getItems([keys.alertCost(alertId)]);
  const kept = fromKeptItem(item);
  return kept.cost ? { ...kept, cost: kept.cost } : undefined;
};

/** The days of a merchant (`M1`) or a site (`S1`) from one to another, both included: one query per megabyte, and one of rows of before. */
export const costDays = async (owner: string, from: string, to: string): Promise<CostDay[]> => {
  const [days, before] = await Promise.all([
    daysBetween(keys.alertDay(owner, from), keys.alertDay(owner, to)),
    daysBetween(keys.costDay(owner, from), keys.costDay(owner, to)),
  ]);
  return [...before.map(fromCostDayItem), ...days.flatMap((item) => fromAlertDayItem(item) ?? [])];
};

const daysBetween = async (first: Key, last: Key): Promise<Item[]> => {
  const days: Item[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const { items, lastKey } = await queryItems({
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: { ':pk': first.pk, ':first': first.sk, ':last': last.sk },
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    });
    days.push(...items);
    ExclusiveStartKey = lastKey;
  } while (ExclusiveStartKey);
  return days;
};
