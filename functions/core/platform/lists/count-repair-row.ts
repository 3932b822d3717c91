import { rowId } from '#core/platform/table/item.ts';
import type { Item, Key, Write } from '../table/item.ts';
import { keys } from '../table/keys.ts';
import { type CountChange, countAttribute, countBuckets, type Listed } from './listing.ts';

/** A counter that disagrees with the items. */
export type CountDifference = { key: Key; attribute: string; counted: number; found: number };

/** The expected counts, by row and attribute. */
export type Counts = Map<string, { key: Key; counts: Map<string, number> }>;

/** One counter's name, for looking it up. */
export const counterName = ({ key, attribute }: Pick<CountDifference, 'key' | 'attribute'>): string =>
  `${rowId(key)}\n${attribute}`;

/** Adds a change to every counter that it touches. */
export const addChange = (counts: Counts, { list, facet, second, n }: CountChange): void => {
  for (const { bucket, part } of countBuckets(second)) {
    const key = keys.count(list, bucket);
    const row = counts.get(rowId(key)) ?? { key, counts: new Map<string, number>() };
    const attribute = countAttribute(part, facet);
    row.counts.set(attribute, (row.counts.get(attribute) ?? 0) + n);
    counts.set(rowId(key), row);
  }
};

const isCounter = (entry: [string, unknown]): entry is [string, number] =>
  entry[0].includes('|') && typeof entry[1] === 'number';

/** The differences between all rows of one list and the expected counts. */
export const compareRows = (list: string, rows: readonly Item[], expected: Counts): CountDifference[] => {
  const { pk } = keys.count(list, '');
  const stored = new Map(rows.map((row) => [rowId({ pk, sk: String(row['sk']) }), row]));
  const missing = [...expected.values()].flatMap(({ key }) => (key.pk === pk && !stored.has(rowId(key)) ? [key] : []));
  const all = [...rows.map((row) => ({ pk, sk: String(row['sk']) })), ...missing];
  return all.flatMap((key) => {
    const found = expected.get(rowId(key))?.counts ?? new Map<string, number>();
    const counted = new Map(Object.entries(stored.get(rowId(key)) ?? {}).filter(isCounter));
    return [...new Set([...found.keys(), ...counted.keys()])].flatMap((attribute) => {
      const difference = { key, attribute, counted: counted.get(attribute) ?? 0, found: found.get(attribute) ?? 0 };
      return difference.counted === difference.found ? [] : [difference];
    });
  });
};

/** The finest counter that covers an item's second: how many items of its facet a list has then. */
const finestCountName = (list: string, { facet, second }: Listed): string => {
  const finest = countBuckets(second).at(-1);
  return counterName({
    key: keys.count(list, finest?.bucket ?? ''),
    attribute: countAttribute(finest?.part ?? '', facet),
  });
};

/** Checks whether a list's finest counter of an item's second is right, so that the item must be counted in it. */
export const isCountedIn = (list: string, listed: Listed, differing: ReadonlySet<string>): boolean =>
  !differing.has(finestCountName(list, listed));

/**
 * Checks whether a counter's difference has changed only by what the repair itself did meanwhile. Then nothing else is under way there, and
 * the counter can be corrected. A counter that did not differ at first had the count that was found.
 */
export const isDifferenceSettled = (
  now: CountDifference,
  first: CountDifference | undefined,
  done: Counts,
): boolean => {
  const added = done.get(rowId(now.key))?.counts.get(now.attribute) ?? 0;
  const before = first ?? { counted: now.found, found: now.found };
  return before.counted + added === now.counted && before.found === now.found;
};

/** An item's place in lists as text, for comparison. */
export const spellListed = (listed: Listed | undefined): string => {
  const { lists = [], facet = '', second = '' } = listed ?? {};
  return JSON.stringify([[...lists].sort(), facet, second]);
};

/** The write that corrects a counter. */
export const repairWrite = ({ key, attribute, counted, found }: CountDifference): Write => ({
  Update: {
    Key: key,
    UpdateExpression: 'ADD #attribute :difference',
    // Only if nothing has been counted since.
    ConditionExpression:
      counted === 0 ? 'attribute_not_exists(#attribute) OR #attribute = :counted' : '#attribute = :counted',
    ExpressionAttributeNames: { '#attribute': attribute },
    ExpressionAttributeValues: { ':difference': found - counted, ':counted': counted },
  },
});
