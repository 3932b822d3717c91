import { keys } from '../core/keys.ts';
import type { Item, Write } from '../core/table.ts';
import { additionsOf, type CostChange, type CostDay } from './cost-day.ts';

/** The parts of a transaction that add changes of costs to the days they count on, each row once. `at`: ISO. */
export const costDayWrites = (changes: readonly CostChange[], at: string): Write[] => {
  const rows = Map.groupBy(
    changes.flatMap((change) => additionsOf(change, at)),
    ({ owner, day }) => `${owner}\n${day}`,
  );
  return [...rows.values()].map((additions) => {
    const sums = new Map<string, number>();
    for (const { attribute, n } of additions) sums.set(attribute, (sums.get(attribute) ?? 0) + n);
    const [{ owner, day } = { owner: '', day: '' }] = additions;
    return addition(owner, day, [...sums]);
  });
};

const addition = (owner: string, day: string, sums: readonly [string, number][]): Write => ({
  Update: {
    Key: keys.costDay(owner, day),
    UpdateExpression: `SET entity = :entity, #day = :day ADD ${sums.map((_, index) => `#a${index} :n${index}`).join(', ')}`,
    ExpressionAttributeNames: {
      '#day': 'day',
      ...Object.fromEntries(sums.map(([attribute], index) => [`#a${index}`, attribute])),
    },
    ExpressionAttributeValues: {
      ':entity': 'COST_DAY',
      ':day': day,
      ...Object.fromEntries(sums.map(([, n], index) => [`:n${index}`, n])),
    },
  },
});

/** Reads a day back. */
export const fromCostDayItem = (item: Item): CostDay => ({ day: String(item['day']), counted: item });
