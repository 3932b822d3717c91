import { keys } from './keys.ts';
import { countAttribute, countBuckets, type Listed, listedOf, listOf } from './listing.ts';
import { ConditionFailed, getItems, type Item, type Key, queryItems, transact, type Write } from './table.ts';

/** One counter that does not say what the items say. */
export type Difference = { key: Key; attribute: string; counted: number; found: number };

type Counts = Map<string, { key: Key; counts: Map<string, number> }>;

const nameOf = ({ pk, sk }: Key): string => `${pk}\n${sk}`;

async function* pagesOf(query: Parameters<typeof queryItems>[0]): AsyncGenerator<Item[]> {
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const { items, lastKey } = await queryItems({ ...query, ...(ExclusiveStartKey && { ExclusiveStartKey }) });
    if (items.length > 0) yield items;
    ExclusiveStartKey = lastKey;
  } while (ExclusiveStartKey);
}

/** What the items of a merchant's list say of themselves, read from the table, a hundred at a time. */
async function* listedItems(entity: string, mid: number): AsyncGenerator<{ key: Key; listed: Listed }[]> {
  const pages = pagesOf({
    IndexName: 'list2',
    KeyConditionExpression: 'list2Pk = :list',
    ExpressionAttributeValues: { ':list': listOf(entity, `M${mid}`) },
    Limit: 100,
  });
  for await (const page of pages) {
    const wanted = page.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }));
    const items = await getItems(wanted);
    yield items.flatMap((item, index) => {
      const [key, listed] = [wanted[index], item && listedOf(item)];
      return key && listed ? [{ key, listed }] : [];
    });
  }
}

const add = (counts: Counts, list: string, { leaf, second }: Listed): void => {
  for (const { bucket, part } of countBuckets(second)) {
    const key = keys.count(list, bucket);
    const row = counts.get(nameOf(key)) ?? { key, counts: new Map<string, number>() };
    const attribute = countAttribute(part, leaf);
    row.counts.set(attribute, (row.counts.get(attribute) ?? 0) + 1);
    counts.set(nameOf(key), row);
  }
};

type Truth = { lists: Set<string>; counts: Counts; markers: { itemPk: string; listed: Listed }[] };

/** What the counts of all lists that hold only this merchant's items have to be: its own, its retailers', its sites'. */
const truthOf = async (entity: string, mid: number): Promise<Truth> => {
  const shared = listOf(entity, 'all');
  const truth: Truth = { lists: new Set([listOf(entity, `M${mid}`)]), counts: new Map(), markers: [] };
  for await (const items of listedItems(entity, mid)) {
    for (const { key, listed } of items) {
      truth.markers.push({ itemPk: key.pk, listed });
      for (const list of listed.lists) {
        if (list === shared) continue;
        truth.lists.add(list);
        add(truth.counts, list, listed);
      }
    }
  }
  return truth;
};

const isCounter = ([name, value]: [string, unknown]): boolean => name.includes('|') && typeof value === 'number';

/** What does not agree in one list, every row of it. */
const differencesOf = async (list: string, expected: Counts): Promise<Difference[]> => {
  const differences: Difference[] = [];
  const seen = new Set<string>();
  const compare = (key: Key, row: Item | undefined) => {
    seen.add(nameOf(key));
    const found = expected.get(nameOf(key))?.counts ?? new Map<string, number>();
    const counted = new Map(Object.entries(row ?? {}).filter(isCounter) as [string, number][]);
    for (const attribute of new Set([...found.keys(), ...counted.keys()])) {
      const difference = { key, attribute, counted: counted.get(attribute) ?? 0, found: found.get(attribute) ?? 0 };
      if (difference.counted !== difference.found) differences.push(difference);
    }
  };
  const rows = pagesOf({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': keys.count(list, '').pk },
    ConsistentRead: true,
  });
  for await (const page of rows) for (const row of page) compare({ pk: String(row['pk']), sk: String(row['sk']) }, row);
  for (const { key } of expected.values()) {
    if (key.pk === keys.count(list, '').pk && !seen.has(nameOf(key))) compare(key, undefined);
  }
  return differences;
};

/**
 * Compares the counts of one kind of a merchant's items with the items themselves, in all lists that hold nothing of
 * anybody else's. Counts follow the items within a second, so while the merchant is at work some may differ for a moment.
 */
export const checkCounts = async (entity: string, mid: number): Promise<Difference[]> =>
  allDifferences(await truthOf(entity, mid));

const allDifferences = async ({ lists, counts }: Truth): Promise<Difference[]> => {
  const differences: Difference[] = [];
  for (const list of lists) differences.push(...(await differencesOf(list, counts)));
  return differences;
};

const repairWrite = ({ key, attribute, counted, found }: Difference): Write => ({
  Update: {
    Key: key,
    UpdateExpression: 'ADD #attribute :difference',
    // Only if nothing was counted since.
    ConditionExpression:
      counted === 0 ? 'attribute_not_exists(#attribute) OR #attribute = :counted' : '#attribute = :counted',
    ExpressionAttributeNames: { '#attribute': attribute },
    ExpressionAttributeValues: { ':difference': found - counted, ':counted': counted },
  },
});

/** How items stand, by their keys, in one spelling each. */
const statesOf = ({ markers }: Truth): Map<string, string> =>
  new Map(markers.map(({ itemPk, listed }) => [itemPk, JSON.stringify(sorted(listed))]));

/**
 * What is counted of an item from now on, so that its next change is counted from what it is. Only of items that stood as
 * they do before the pause: the others are still to be counted by the stream.
 */
const markerWrites = async (before: ReadonlyMap<string, string>, now: Truth): Promise<Write[]> => {
  const markers = now.markers.filter(({ itemPk, listed }) => before.get(itemPk) === JSON.stringify(sorted(listed)));
  const writes: Write[] = [];
  for (let from = 0; from < markers.length; from += 100) {
    const chunk = markers.slice(from, from + 100);
    const rows = await getItems(chunk.map(({ itemPk }) => keys.counted(itemPk)));
    chunk.forEach(({ itemPk, listed }, index) => {
      const row = rows[index];
      if (row && JSON.stringify(sorted(row['listed'])) === JSON.stringify(sorted(listed))) return;
      const sequence = String(row?.['sequence'] ?? '0'.repeat(40));
      writes.push({
        Put: {
          Item: { ...keys.counted(itemPk), entity: 'COUNTED', sequence, listed },
          ConditionExpression: row ? '#sequence = :sequence' : 'attribute_not_exists(pk)',
          ...(row && {
            ExpressionAttributeNames: { '#sequence': 'sequence' },
            ExpressionAttributeValues: { ':sequence': sequence },
          }),
        },
      });
    });
  }
  return writes;
};

const sorted = (listed: unknown): unknown => {
  const { lists = [], leaf = '', second = '' } = (listed ?? {}) as Partial<Listed>;
  return [[...lists].sort(), leaf, second];
};

const wordOf = ({ key, attribute, counted, found }: Difference): string =>
  [nameOf(key), attribute, counted, found].join('\n');

/**
 * Sets right what is counted wrongly. What differs by the same before and after `pause`, which must be longer than counts
 * take to follow, is no work under way; it is corrected under the condition that it still is as it was read. Answers how
 * many counters were set right, and how many were changed meanwhile and are left for another run.
 */
export const rebuildCounts = async (
  entity: string,
  mid: number,
  pause: () => Promise<void>,
): Promise<{ corrected: number; left: number }> => {
  const before = await truthOf(entity, mid);
  const first = await allDifferences(before);
  await pause();
  const now = await truthOf(entity, mid);
  const second = await allDifferences(now);
  const known = new Set(first.map(wordOf));
  // Before the counts: whatever of these items is still on its way through the stream is then no news.
  for (const write of await markerWrites(statesOf(before), now)) await isWritten(write);
  let corrected = 0;
  for (const difference of second.filter((one) => known.has(wordOf(one)))) {
    if (await isWritten(repairWrite(difference))) corrected += 1;
  }
  return { corrected, left: second.length - corrected };
};

/** False if somebody else was faster. */
const isWritten = async (write: Write): Promise<boolean> => {
  try {
    await transact([write]);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
};

/** What a merchant's list shows of its items, all of it. */
export async function* summariesOf<Summary>(entity: string, mid: number): AsyncGenerator<Summary> {
  const pages = pagesOf({
    IndexName: 'list2',
    KeyConditionExpression: 'list2Pk = :list',
    ExpressionAttributeValues: { ':list': listOf(entity, `M${mid}`) },
  });
  for await (const page of pages) for (const item of page) yield item['summary'] as Summary;
}
