import { keys } from '../table/keys.ts';
import { type Item, type Key, queryItems } from '../table/table.ts';
import type { CountDifference } from './count-repair-row.ts';
import { isKeptNumber } from './kept-count-store.ts';
import { type ListPlace, placesChanged } from './listing.ts';
import { placeOfDay, placeOfHour } from './spans.ts';

/** Compares the stored counts of lists counted on demand with the items. Wrong ones are forgotten: the next request counts again. */

type Found = Map<string, Map<string, number>>;

const add = (found: Found, { partition, time }: ListPlace): void => {
  const rows = found.get(partition) ?? new Map<string, number>();
  for (const { bucket, part } of [placeOfDay(time), placeOfHour(time)]) {
    const name = `${bucket}\n${part}`;
    rows.set(name, (rows.get(name) ?? 0) + 1);
  }
  found.set(partition, rows);
};

/** `facets`: all that there are, as items may have left some altogether. `isCompared`: which partitions are looked at. */
export const keptDifferences = async (
  pages: AsyncIterable<readonly Item[]>,
  facets: readonly string[],
  isCompared: (list: string) => boolean,
): Promise<CountDifference[]> => {
  const found: Found = new Map();
  for await (const items of pages) {
    for (const place of items.flatMap((item) => placesChanged(undefined, item))) {
      if (isCompared(place.partition)) add(found, place);
    }
  }
  for (const list of [...found.keys()].filter((name) => !name.includes('|'))) {
    for (const facet of facets) if (!found.has(`${list}#${facet}`)) found.set(`${list}#${facet}`, new Map());
  }
  const differences: CountDifference[] = [];
  for (const [partition, counts] of found) {
    for (const row of await readKeptRows(partition)) {
      const key = { pk: String(row['pk']), sk: String(row['sk']) };
      for (const [attribute, counted] of Object.entries(row)) {
        const is = counts.get(`${key.sk}\n${attribute}`) ?? 0;
        if (isKeptNumber(counted) && counted !== is) differences.push({ key, attribute, counted, found: is });
      }
    }
  }
  return differences;
};

const readKeptRows = async (partition: string): Promise<Item[]> => {
  const rows: Item[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const { items, lastKey } = await queryItems({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.count(partition, '').pk },
      ConsistentRead: true,
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    });
    rows.push(...items.filter((row) => isKeptRow({ pk: String(row['pk']), sk: String(row['sk']) })));
    ExclusiveStartKey = lastKey;
  } while (ExclusiveStartKey);
  return rows;
};

/** Checks whether a row is of counts that were kept, as against those that the counter keeps. */
export const isKeptRow = ({ sk }: Key): boolean => sk.startsWith('DAYS#') || sk.startsWith('HOURS#');
