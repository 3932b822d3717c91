import { decodeCursor, encodeCursor } from './cursor.ts';
import type { IndexName } from './grants.ts';
import { keys } from './keys.ts';
import { countsByPart, listOf } from './listing.ts';
import { getItem, type Item, queryItems } from './table.ts';

/** Which list, and which part of it. Times are ISO; `from` inclusive, `to` exclusive. */
export type PageRequest = {
  entity: string;
  /** Which of the item's scopes, 1 to 4, and its value. */
  slot: 1 | 2 | 3 | 4;
  scope: string;
  /** Only items with one of these leaves; absent: all. */
  leaves?: readonly string[] | undefined;
  from?: string | undefined;
  to?: string | undefined;
  order: 'ASC' | 'DESC';
  size: number;
  offset?: number | undefined;
  cursor?: string | undefined;
};

export type Page<Summary = Item> = {
  /** What the list shows of each item: its `summary`. */
  list: Summary[];
  totalResult: number;
  next_cursor: string | null;
};

const beginning = '0000';
const end = '9999';
const beginningOfList = { skip: 0, from: undefined, passed: 0 };

/**
 * Reads one page. A page reads its items, at most as many again to merge several leaves, and up to three rows of counters
 * (four more to enter at an offset, and what lies between the start of an hour and the offset).
 * `Summary` is what the entity's row writes there. `totalResult` follows the items by the stream, within a second; it is exact whenever the page reaches the end.
 */
export const readPage = async <Summary = Item>(request: PageRequest): Promise<Page<Summary>> => {
  const after = request.cursor === undefined ? undefined : decodeCursor(request.cursor);
  const entry = after === undefined && request.offset ? await entryAt(request, request.offset) : beginningOfList;
  const wanted = request.size + entry.skip;
  const read = await merged(request, after ?? entry.from, wanted);
  const items = read.items.slice(entry.skip);
  const last = items.at(-1);
  const exact = after === undefined && !read.more ? entry.passed + read.items.length : undefined;
  return {
    list: items.map((item) => item['summary'] as Summary),
    totalResult: exact ?? Math.max(await countAll(request), entry.passed + read.items.length + (read.more ? 1 : 0)),
    next_cursor: read.more && last ? encodeCursor(String(last['listSk'])) : null,
  };
};

/** Merges the partitions of the leaves by position, each read in small pieces so that little is read in vain. */
const merged = async (request: PageRequest, after: string | undefined, wanted: number) => {
  const partitions = request.leaves
    ? request.leaves.map((leaf) => `${listOf(request.entity, request.scope)}#${leaf}`)
    : [listOf(request.entity, request.scope)];
  const piece = partitions.length === 1 ? wanted : Math.max(1, Math.floor(request.size / partitions.length));
  const runs = partitions.map((partition) => ({ partition, held: [] as Item[], after, open: true }));
  const fill = async (run: (typeof runs)[number]) => {
    if (!run.open || run.held.length > 0) return;
    const { items, lastKey } = await readPartition(request, run.partition, run.after, piece);
    run.held = items;
    run.after = items.length > 0 ? String(items.at(-1)?.['listSk']) : run.after;
    run.open = lastKey !== undefined;
  };
  const items: Item[] = [];
  while (items.length < wanted) {
    await Promise.all(runs.map(fill));
    const next = runs
      .filter(({ held }) => held.length > 0)
      .sort(byPosition(request.order))[0]
      ?.held.shift();
    if (!next) break;
    items.push(next);
  }
  return { items, more: items.length >= wanted && runs.some(({ held, open }) => open || held.length > 0) };
};

const byPosition =
  (order: 'ASC' | 'DESC') =>
  (left: { held: Item[] }, right: { held: Item[] }): number => {
    const difference = String(left.held[0]?.['listSk']) < String(right.held[0]?.['listSk']) ? -1 : 1;
    return order === 'ASC' ? difference : -difference;
  };

const readPartition = (request: PageRequest, partition: string, after: string | undefined, limit: number) => {
  const index = `list${request.slot}${request.leaves ? 'f' : ''}` as IndexName;
  const ascending = request.order === 'ASC';
  const low = ascending && after !== undefined ? `${after}\u0000` : (request.from ?? beginning);
  const high = !ascending && after !== undefined ? below(after) : below(request.to ?? end);
  if (low > high) return Promise.resolve({ items: [], lastKey: undefined });
  return queryItems({
    IndexName: index,
    KeyConditionExpression: '#partition = :partition AND listSk BETWEEN :low AND :high',
    ExpressionAttributeNames: { '#partition': `${index}Pk` },
    ExpressionAttributeValues: { ':partition': partition, ':low': low, ':high': high },
    ScanIndexForward: ascending,
    Limit: limit,
  });
};

/** The greatest text that BETWEEN may still include so that `position` itself is left out: one character less. */
const below = (position: string): string => {
  const last = position.charCodeAt(position.length - 1);
  return `${position.slice(0, -1)}${String.fromCharCode(last - 1)}\uffff`;
};

/** A stretch of time all of whose counted items the request's range holds; `depth`: 0 month, 1 day, 2 hour. */
type Stretch = { start: string; n: number; depth: number };

const bucketOf = ['ALL', 'MONTH#', 'DAY#'] as const;
const separatorAfter = ['', '-', 'T'] as const;

const inRange = (start: string, { from = beginning, to = end }: PageRequest): 'inside' | 'outside' | 'edge' => {
  const last = `${start}\uffff`;
  if (last < from || start >= to) return 'outside';
  return start >= from && last < to ? 'inside' : 'edge';
};

/** The parts of one row of counters in reading order. */
const partsOf = async (request: PageRequest, start: string, depth: number): Promise<Stretch[]> => {
  const row = await getItem(keys.count(listOf(request.entity, request.scope), `${bucketOf[depth]}${start}`));
  const parts = [...countsByPart(row, request.leaves)].map(([part, n]) => ({
    start: `${start}${separatorAfter[depth]}${part}`,
    n,
    depth,
  }));
  const ascending = parts.sort((left, right) => (left.start < right.start ? -1 : 1));
  return request.order === 'ASC' ? ascending : ascending.reverse();
};

/** The counted stretches of the request's range, in reading order. An hour that a range cuts counts as a whole. */
async function* stretches(request: PageRequest, start = '', depth = 0): AsyncGenerator<Stretch> {
  for (const part of await partsOf(request, start, depth)) {
    const place = inRange(part.start, request);
    if (place === 'inside' || (place === 'edge' && depth === 2)) yield part;
    else if (place === 'edge') yield* stretches(request, part.start, depth + 1);
  }
}

/** How many items the request's filters allow, from the counters. */
const countAll = async (request: PageRequest): Promise<number> => {
  let sum = 0;
  for await (const { n } of stretches(request)) sum += n;
  return Math.max(0, sum);
};

type Entry = { skip: number; from: string | undefined; passed: number };

/** Where to start reading so that few items are skipped one by one: the hour that holds the offset. */
const entryAt = async (request: PageRequest, offset: number): Promise<Entry> => {
  let skip = offset;
  const enter = async (parts: AsyncIterable<Stretch> | Iterable<Stretch>): Promise<Entry> => {
    for await (const { start, n, depth } of parts) {
      if (skip >= n) skip -= n;
      else if (depth < 2) return enter(await partsOf(request, start, depth + 1));
      else return { skip, from: request.order === 'ASC' ? start : `${start}\uffff`, passed: offset - skip };
    }
    // The counters know of fewer items than the offset: what they lag behind is read one by one.
    return { skip: offset, from: undefined, passed: 0 };
  };
  return enter(stretches(request));
};
