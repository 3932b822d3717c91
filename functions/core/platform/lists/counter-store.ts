import { requireNew } from '../table/item.ts';
import { keys } from '../table/keys.ts';
import { getItems, type Item, type Key, tryTransact, type Write } from '../table/table.ts';
import {
  type CountChange,
  countAttribute,
  countBuckets,
  countChanges,
  countedParts,
  isCountedList,
  type Listed,
  sumChanges,
} from './listing.ts';

/**
 * An item's place in lists (undefined: in none) after one of its writes. `sequence` orders the writes of an item; as
 * text, all of one length.
 */
export type ItemState = {
  itemPk: string;
  /** Its place before that write, if known. */
  before?: Listed | undefined;
  listed: Listed | undefined;
  sequence: string;
};

/** A part of a state that is counted separately, under a marker of its own. */
type PartState = { marker: string; listed: Listed | undefined; sequence: string };

/** The place under which an item is counted, and as of which write; undefined if it was never counted. */
export type Marker = { listed: Listed | undefined; sequence: string } | undefined;

/** Reads a marker's item; what is listed is as `markerWrite` left it. */
export const fromMarker = (item: Item | undefined): Marker =>
  item && { listed: withoutUncounted(item['listed'] as Listed | undefined), sequence: String(item['sequence']) };

/** Earlier releases counted some lists that are not counted now; those counts are no longer read. */
const withoutUncounted = (listed: Listed | undefined): Listed | undefined =>
  listed && { ...listed, lists: listed.lists.filter(isCountedList) };

const markerWrite = ({ marker: name, listed, sequence }: PartState, marker: Marker): Write => ({
  Put: {
    Item: { ...keys.counted(name), entity: 'COUNTED', sequence, ...(listed && { listed }) },
    ...(marker
      ? {
          ConditionExpression: '#sequence = :sequence',
          ExpressionAttributeNames: { '#sequence': 'sequence' },
          ExpressionAttributeValues: { ':sequence': marker.sequence },
        }
      : requireNew),
  },
});

type CountRow = { key: Key; additions: Map<string, number> };

/** The rows of counters that changes affect, each with the amounts to add to its attributes. */
const countRows = (changes: readonly CountChange[]): CountRow[] => {
  const rows = new Map<string, CountRow>();
  for (const { list, facet, second, n } of changes) {
    for (const { bucket, part } of countBuckets(second)) {
      const key = keys.count(list, bucket);
      const name = `${key.pk}\n${key.sk}`;
      const row = rows.get(name) ?? { key, additions: new Map<string, number>() };
      const attribute = countAttribute(part, facet);
      row.additions.set(attribute, (row.additions.get(attribute) ?? 0) + n);
      rows.set(name, row);
    }
  }
  return [...rows.values()].flatMap(({ key, additions }) => {
    const changed = [...additions].filter(([, n]) => n !== 0);
    return changed.length > 0 ? [{ key, additions: new Map(changed) }] : [];
  });
};

const countWrite = ({ key, additions }: CountRow): Write => {
  const entries = [...additions].map(([attribute, n], index) => ({
    attribute,
    n,
    name: `#a${index}`,
    value: `:n${index}`,
  }));
  return {
    Update: {
      Key: key,
      UpdateExpression: `ADD ${entries.map(({ name, value }) => `${name} ${value}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(entries.map(({ name, attribute }) => [name, attribute])),
      ExpressionAttributeValues: Object.fromEntries(entries.map(({ value, n }) => [value, n])),
    },
  };
};

/** DynamoDB's limit for one transaction. */
const maxParts = 100;

/** A state to be counted, with the item's marker and the changes that follow. */
export type CountedState = { state: PartState; marker: Marker; changes: CountChange[] };

const sumGroup = (group: readonly CountedState[]): CountChange[] => sumChanges(group.flatMap(({ changes }) => changes));

const rowsTouched = ({ changes }: CountedState): string[] =>
  changes.flatMap(({ list, second }) => countBuckets(second).map(({ bucket }) => `${list} ${bucket}`));

const firstList = ({ changes, state }: CountedState): string => changes[0]?.list ?? state.listed?.lists[0] ?? '';

/**
 * Items in groups that fit into a transaction each: a marker per item, and the rows of counters they share. Those of one list are
 * kept together: a row costs as much for fifty items as for one, and conflicts with fewer other transactions.
 */
export const groupStates = (items: readonly CountedState[]): CountedState[][] => {
  const groups: { items: CountedState[]; rows: Set<string> }[] = [];
  const inOrder = items
    .map((item) => ({ item, list: firstList(item) }))
    .sort((left, right) => (left.list < right.list ? -1 : Number(left.list > right.list)));
  for (const { item } of inOrder) {
    const [last, touched] = [groups.at(-1), rowsTouched(item)];
    const rows = new Set([...(last?.rows ?? []), ...touched]);
    if (last && last.items.length + 1 + rows.size <= maxParts) {
      last.items.push(item);
      last.rows = rows;
    } else groups.push({ items: [item], rows: new Set(touched) });
  }
  return groups.map((group) => group.items);
};

/**
 * Brings the counts up to the given states, one per item. Each item's marker names the place under which it is counted, and changes in the
 * same transaction as the counts, so that a state that is repeated, late or older than the marker changes nothing. While other processes
 * count the same items, this goes on until they are done: each round ends with a newer marker.
 */
export const countItems = async (states: readonly ItemState[]): Promise<void> => {
  const partsOf = ({ itemPk, before, listed, sequence }: ItemState): PartState[] =>
    countedParts(itemPk, before, listed).map((part) => ({ ...part, sequence }));
  let pending = states.flatMap(partsOf);
  while (pending.length > 0) {
    const refused: PartState[] = [];
    for (const group of groupStates(await readMarkers(pending))) {
      if (!(await countGroup(group))) refused.push(...group.map(({ state }) => state));
    }
    pending = refused;
  }
};

/** The markers of items, without items whose state is not newer. */
const readMarkers = async (states: readonly PartState[]): Promise<CountedState[]> => {
  const found: (Item | undefined)[] = [];
  for (let from = 0; from < states.length; from += 100) {
    found.push(...(await getItems(states.slice(from, from + 100).map(({ marker }) => keys.counted(marker)))));
  }
  return states.flatMap((state, index) => {
    const marker = fromMarker(found[index]);
    if (marker && marker.sequence >= state.sequence) return [];
    return [{ state, marker, changes: countChanges(marker?.listed, state.listed) }];
  });
};

/** Counts a group, all or nothing; false if another process counted one of its items meanwhile. */
export const countGroup = async (group: readonly CountedState[]): Promise<boolean> => {
  const markers = group.map(({ state, marker }) => markerWrite(state, marker));
  const counts = countRows(sumGroup(group)).map(countWrite);
  return (await tryTransact({ markers, counts })) === undefined;
};
