import { keys } from '../table/keys.ts';
import { getItems, type Item, queryItems, tryTransact, type Write } from '../table/table.ts';
import {
  addChange,
  type CountDifference,
  type Counts,
  compareRows,
  counterName,
  isCountedIn,
  isDifferenceSettled,
  repairWrite,
  spellListed,
} from './count-repair-row.ts';
import { type CountedState, countGroup, fromMarker, groupStates, type Marker } from './counter-store.ts';
import { isKeptRow, keptDifferences } from './kept-count-repair-store.ts';
import { forget } from './kept-count-store.ts';
import {
  countChanges,
  countedParts,
  countLevels,
  everybody,
  isCountedList,
  isOnDemand,
  isShard,
  type Listed,
  listsOf,
  readListed,
} from './listing.ts';

/**
 * Items of one kind that are checked together: a merchant's, or all. `facets`: all possible ones, if any of their lists is counted on
 * demand.
 */
export type Holding = { entity: string; owner: 'all' | number; facets?: readonly string[] };

/** The progress, for people who wait. */
export type Progress = { items: number; lists: number };

/** An item's place in the lists that are counted together, the name of their marker (`part`), and the marker. */
type Part = { itemPk: string; itemSk: string; part: string; listed: Listed; marker: Marker };

/** An item whose marker differs from its present place: its record is under way, or was lost. */
type Unsettled = Part & { isCounted: boolean };

type Reading = { holding: Holding; differences: CountDifference[]; referencesToCheck: Unsettled[] };

const pageSize = 100;
/** Queries that run in parallel: a merchant has a list for each of its sites. */
const listsAtOnce = 10;

async function* readPages(query: Parameters<typeof queryItems>[0]): AsyncGenerator<Item[]> {
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const { items, lastKey } = await queryItems({ ...query, ...(ExclusiveStartKey && { ExclusiveStartKey }) });
    if (items.length > 0) yield items;
    ExclusiveStartKey = lastKey;
  } while (ExclusiveStartKey);
}

const listsOfHolding = ({ entity, owner }: Holding): string[] => listsOf(entity, owner === 'all' ? 'all' : `M${owner}`);

async function* readListItems(holding: Holding): AsyncGenerator<Item[]> {
  const index = holding.owner === 'all' ? 'list1' : 'list2';
  for (const list of listsOfHolding(holding)) {
    yield* readPages({
      IndexName: index,
      KeyConditionExpression: '#list = :list',
      ExpressionAttributeNames: { '#list': `${index}Pk` },
      ExpressionAttributeValues: { ':list': list },
      Limit: pageSize,
    });
  }
}

/** Items by their keys, each with its markers. The items are read first: a marker may be newer than its item, never older. */
const readCounted = async (wanted: readonly { pk: string; sk: string }[]): Promise<Part[]> => {
  const items = await getItems(wanted);
  const parts = wanted.flatMap(({ pk, sk }, index) => {
    const listed = items[index] && readListed(items[index]);
    if (!listed) return [];
    return countedParts(pk, undefined, listed).map((one) => ({
      itemPk: pk,
      itemSk: sk,
      part: one.marker,
      listed: one.listed ?? { ...listed, lists: [] },
    }));
  });
  const markers: (Item | undefined)[] = [];
  for (let from = 0; from < parts.length; from += pageSize) {
    markers.push(...(await getItems(parts.slice(from, from + pageSize).map(({ part }) => keys.counted(part)))));
  }
  return parts.map((one, index) => ({ ...one, marker: fromMarker(markers[index]) }));
};

/** An item's counted place as text; being in no list is always spelled the same. */
const spell = (listed: Listed | undefined): string => spellListed(listed?.lists.length === 0 ? undefined : listed);

const isUnsettled = ({ listed, marker }: Part): boolean => spell(marker?.listed) !== spell(listed);

const isEverybodys = (list: string): boolean => isShard(list) || list.endsWith(`#${everybody}`);

/** Reads the stored counts of a holding whose lists are counted on demand. */
const readKept = async (holding: Holding, progress: Progress): Promise<Reading> => {
  async function* items(): AsyncGenerator<Item[]> {
    for await (const page of readListItems(holding)) {
      const found = await getItems(page.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) })));
      progress.items += page.length;
      yield found.filter((item) => item !== undefined);
    }
  }
  const isCompared = (partition: string): boolean =>
    isEverybodys(partition.split('#', 2).join('#')) === (holding.owner === 'all');
  const differences = await keptDifferences(items(), holding.facets ?? [], isCompared);
  return { holding, differences, referencesToCheck: [] };
};

/** The lists of all items are compared with all items; all other lists with a merchant's items are its own. */
const comparedLists = ({ owner }: Holding, { lists }: Listed): string[] =>
  lists.filter((list) => isEverybodys(list) === (owner === 'all'));

/** Reads a holding's items from the table, the markers of each, and the counters of the lists that are compared. */
const readHolding = async (holding: Holding, progress: Progress): Promise<Reading> => {
  if (listsOfHolding(holding).every(isOnDemand)) return readKept(holding, progress);
  const counted = await readCounters(holding, progress);
  if (!holding.facets) return counted;
  const kept = await readKept(holding, progress);
  return { ...counted, differences: [...counted.differences, ...kept.differences] };
};

const readCounters = async (holding: Holding, progress: Progress): Promise<Reading> => {
  const own = listsOfHolding(holding).filter(isCountedList);
  const [expected, lists, referencesToCheck]: [Counts, Set<string>, Unsettled[]] = [new Map(), new Set(own), []];
  for await (const page of readListItems(holding)) {
    for (const item of await readCounted(page.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) })))) {
      for (const list of comparedLists(holding, item.listed)) {
        lists.add(list);
        addChange(expected, { list, facet: item.listed.facet, second: item.listed.second, n: 1 });
      }
      if (isUnsettled(item)) referencesToCheck.push({ ...item, isCounted: false });
    }
    progress.items += page.length;
  }
  const differences = await findDifferences([...lists], expected, progress);
  const differing = new Set(differences.map(counterName));
  return {
    holding,
    differences,
    // Counters and marker change together. If there is no marker but the counter is right, the marker was lost.
    referencesToCheck: referencesToCheck.map((one) => ({
      ...one,
      isCounted:
        !one.marker && own.some((list) => one.listed.lists.includes(list) && isCountedIn(list, one.listed, differing)),
    })),
  };
};

const findDifferences = async (
  lists: readonly string[],
  expected: Counts,
  progress: Progress,
): Promise<CountDifference[]> => {
  const byList = new Map<string, Counts>(lists.map((list) => [keys.count(list, '').pk, new Map()]));
  for (const [name, row] of expected) byList.get(row.key.pk)?.set(name, row);
  const differences: CountDifference[] = [];
  for (let from = 0; from < lists.length; from += listsAtOnce) {
    const some = lists.slice(from, from + listsAtOnce);
    const found = await Promise.all(
      some.map(async (list) =>
        compareRows(list, await readCountRows(list), byList.get(keys.count(list, '').pk) ?? new Map()),
      ),
    );
    differences.push(...found.flat());
    progress.lists += some.length;
  }
  return differences;
};

/** Earlier releases kept rows of minutes and seconds too, and of days, which are no longer read. */
const isCountRow = ({ sk }: Item): boolean => countLevels.some(({ name }) => String(sk).startsWith(name));

const readCountRows = async (list: string): Promise<Item[]> => {
  const rows: Item[] = [];
  const query = {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': keys.count(list, '').pk },
    ConsistentRead: true,
  };
  for await (const page of readPages(query)) rows.push(...page.filter(isCountRow));
  return rows;
};

type Holdings = AsyncIterable<Holding> | Iterable<Holding>;

/**
 * Compares counts with the items themselves. Counts follow the items within a second, so while the service is in use some
 * may differ for a moment. `unmarked`: the number of items whose markers differ from their present place.
 */
export const checkCounts = async (
  holdings: Holdings,
  progress: Progress = { items: 0, lists: 0 },
): Promise<{ differences: CountDifference[]; unmarked: number }> => {
  const differences: CountDifference[] = [];
  const unmarked = new Set<string>();
  for await (const holding of holdings) {
    const reading = await readHolding(holding, progress);
    differences.push(...reading.differences);
    for (const { itemPk } of reading.referencesToCheck) unmarked.add(itemPk);
  }
  return { differences, unmarked: unmarked.size };
};

/** The result of a repair: counters corrected, and items counted; `left`: those that changed meanwhile. */
export type Rebuilt = { corrected: number; counted: number; left: number };

/**
 * Corrects wrong counts in every list that has items of the holdings. First, each item whose marker differs from its present place is
 * counted in all its lists, as the stream would have done it: in one transaction with its marker, so that a late record changes nothing.
 * Then counters that still differ are corrected. Both happen only if nothing changed there during `pause`, which must be longer than counts
 * take to follow, and on condition that nothing changes until the write. There is one pause for all, and none if everything agrees.
 */
export const rebuildCounts = async (
  holdings: Holdings,
  pause: () => Promise<unknown>,
  progress: Progress = { items: 0, lists: 0 },
): Promise<Rebuilt> => {
  const wrong: Reading[] = [];
  for await (const holding of holdings) {
    const reading = await readHolding(holding, progress);
    if (reading.differences.length > 0 || reading.referencesToCheck.length > 0) wrong.push(reading);
  }
  if (wrong.length === 0) return { corrected: 0, counted: 0, left: 0 };
  await pause();
  const done = await countUnsettled(wrong.flatMap(({ referencesToCheck }) => referencesToCheck));
  const added: Counts = new Map();
  for (const { changes } of done) for (const change of changes) addChange(added, change);
  let [corrected, left] = [0, 0];
  for (const { holding, differences } of wrong) {
    const first = new Map(differences.map((one) => [counterName(one), one]));
    const now = await readHolding(holding, progress);
    left += now.referencesToCheck.length;
    for (const difference of now.differences) {
      const isRight = isKeptRow(difference.key)
        ? await forget(difference.key, [difference.attribute])
        : isDifferenceSettled(difference, first.get(counterName(difference)), added) &&
          (await isWritten(repairWrite(difference)));
      if (isRight) corrected += 1;
      else left += 1;
    }
  }
  return { corrected, counted: done.length, left };
};

/** Counts items whose place and marker are still as read; returns those that were counted. */
const countUnsettled = async (referencesToCheck: readonly Unsettled[]): Promise<CountedState[]> => {
  const items = [...new Map(referencesToCheck.map((one) => [one.part, one])).values()];
  const done: CountedState[] = [];
  for (let from = 0; from < items.length; from += pageSize) {
    const chunk = new Map(items.slice(from, from + pageSize).map((one) => [one.part, one]));
    const places = new Map([...chunk.values()].map(({ itemPk, itemSk }) => [itemPk, { pk: itemPk, sk: itemSk }]));
    const present = await readCounted([...places.values()]);
    const wanted = present.flatMap(({ part, listed, marker }) => {
      const before = chunk.get(part);
      const isSame =
        before &&
        spell(before.listed) === spell(listed) &&
        before.marker?.sequence === marker?.sequence &&
        spell(before.marker?.listed) === spell(marker?.listed);
      return isSame ? [toBeCounted(before)] : [];
    });
    for (const group of groupStates(wanted)) {
      if (await countGroup(group)) done.push(...group);
      // An item that another process counted must not block the others of its group.
      else for (const one of group) if (await countGroup([one])) done.push(one);
    }
  }
  return done;
};

/**
 * A repair's count of an item is ordered right after its last count and before any later record of the stream: its
 * sequence is the marker's with one more character, the smallest that sequences use.
 */
const toBeCounted = ({ part, listed, marker, isCounted: isInCounts }: Unsettled): CountedState => ({
  state: { marker: part, listed, sequence: `${marker?.sequence ?? ''}!` },
  marker,
  changes: isInCounts ? [] : countChanges(marker?.listed, listed),
});

/** False if another writer was faster. */
const isWritten = async (write: Write): Promise<boolean> => (await tryTransact({ counts: write })) === undefined;

/** The summaries of all items of a list, as the items' only writer stored them. */
export async function* readSummaries<Summary>(holding: Holding): AsyncGenerator<Summary> {
  for await (const page of readListItems(holding)) for (const item of page) yield item['summary'] as Summary;
}
