import { decodeCursor, encodeCursor } from './cursor.ts';
import type { IndexName } from './grants.ts';
import { keys } from './keys.ts';
import { countLevels, countsByPart, isCounted, isShort, listsOf as listsOfScope } from './listing.ts';
import { getItem, type Item, queryItems } from './table.ts';

/** Which list, and which part of it. Times are ISO; `from` inclusive, `to` exclusive. */
export type PageRequest = {
  /** Several entities or scopes are one list together; no item may stand in two of them. */
  entity: string | readonly string[];
  /** Which of the item's scopes, 1 to 4, and its value. */
  scopeIndex: 1 | 2 | 3 | 4;
  scope: string | readonly string[];
  /** Only items with one of these facets; absent: all. */
  facets?: readonly string[] | undefined;
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

/** What a list shows of an item, as the item's one writer put it there. */
const summaryOf = <Summary>(item: Item): Summary => item['summary'] as Summary;

/**
 * Reads one page. It reads at most twice as many items as a page has, and a few rows of counters (see countLevels); at an
 * offset besides, what lies before it within its second. (A filter by more facets than a page has items reads one more of
 * each.) `totalResult` follows the items by the stream, within a second; it is exact whenever the first pages reach the
 * list's end. `Summary` is what the entity's row writes there.
 */
export const readPage = async <Summary = Item>(request: PageRequest): Promise<Page<Summary>> => {
  const after = request.cursor === undefined ? undefined : decodeCursor(request.cursor);
  const entry = await entryOf(request, after);
  if (!entry) return { list: [], totalResult: await countAll(request), next_cursor: null };
  const read = await merged(request, entry.from, request.size + entry.skip);
  const items = read.items.slice(entry.skip);
  const last = items.at(-1);
  const seen = entry.passed + read.items.length;
  return {
    list: items.map((item) => summaryOf<Summary>(item)),
    totalResult: after === undefined && read.isEnd ? seen : Math.max(await countAll(request), seen + read.ahead),
    next_cursor: last && !read.isEnd ? encodeCursor(String(last['listSk'])) : null,
  };
};

/** The first items of a list, uncounted: for lists whose items the counter does not follow. It reads one item more at most. */
export const readFirst = async <Summary = Item>(request: PageRequest): Promise<Summary[]> => {
  const { items } = await merged(request, undefined, request.size);
  return items.map((item) => summaryOf<Summary>(item));
};

type Run = { partition: string; held: Item[]; after: string | undefined; open: boolean };

const listsOf = ({ entity, scope }: PageRequest): string[] =>
  [entity].flat().flatMap((one) => [scope].flat().flatMap((other) => listsOfScope(one, other)));

const partitionsOf = (request: PageRequest): string[] => {
  const { facets } = request;
  return facets ? listsOf(request).flatMap((list) => facets.map((facet) => `${list}#${facet}`)) : listsOf(request);
};

/** Merges the partitions of the facets by position, each read in small pieces so that little is read in vain. */
const merged = async (request: PageRequest, after: string | undefined, wanted: number) => {
  const partitions = partitionsOf(request);
  // One item more tells whether the list goes on, unless it would be one too many.
  const ahead = wanted < 2 * request.size ? 1 : 0;
  const spare = 2 * request.size - wanted - ahead;
  const piece = partitions.length === 1 ? wanted + ahead : Math.max(1, Math.floor(spare / partitions.length));
  const runs = partitions.map((partition): Run => ({ partition, held: [], after, open: true }));
  const fill = async (run: Run) => {
    if (!run.open || run.held.length > 0) return;
    const { items, lastKey } = await readPartition(request, run.partition, run.after, piece);
    run.held = items;
    run.after = items.length > 0 ? String(items.at(-1)?.['listSk']) : run.after;
    run.open = lastKey !== undefined;
  };
  const items: Item[] = [];
  while (items.length < wanted + ahead) {
    await Promise.all(runs.map(fill));
    const next = runs
      .filter(({ held }) => held.length > 0)
      .sort(byPosition(request.order))[0]
      ?.held.shift();
    if (next) items.push(next);
    else if (runs.every(({ open }) => !open)) return { items, isEnd: true, ahead: 0 };
  }
  const isEnd = ahead === 0 && runs.every(({ open, held }) => !open && held.length === 0);
  return { items: items.slice(0, wanted), isEnd, ahead };
};

const byPosition =
  (order: 'ASC' | 'DESC') =>
  (left: { held: Item[] }, right: { held: Item[] }): number => {
    const difference = String(left.held[0]?.['listSk']) < String(right.held[0]?.['listSk']) ? -1 : 1;
    return order === 'ASC' ? difference : -difference;
  };

const readPartition = (request: PageRequest, partition: string, after: string | undefined, limit: number) => {
  const index: IndexName = `list${request.scopeIndex}${request.facets ? 'f' : ''}`;
  const isAscending = request.order === 'ASC';
  const { from = beginning, to = end } = request;
  const low = isAscending && after !== undefined ? later(from, `${after}\u0000`) : from;
  const high = !isAscending && after !== undefined ? earlier(below(to), below(after)) : below(to);
  if (low > high) return Promise.resolve({ items: [], lastKey: undefined });
  return queryItems({
    IndexName: index,
    KeyConditionExpression: '#partition = :partition AND listSk BETWEEN :low AND :high',
    ExpressionAttributeNames: { '#partition': `${index}Pk` },
    ExpressionAttributeValues: { ':partition': partition, ':low': low, ':high': high },
    ScanIndexForward: isAscending,
    Limit: limit,
  });
};

const later = (left: string, right: string): string => (left > right ? left : right);
const earlier = (left: string, right: string): string => (left < right ? left : right);

/** The greatest text that BETWEEN may still include so that `position` itself is left out: one character less. */
const below = (position: string): string => {
  const last = position.charCodeAt(position.length - 1);
  return `${position.slice(0, -1)}${String.fromCharCode(last - 1)}\uffff`;
};

/** A stretch of time, by how its times begin, and how many items are counted there; `level` of countLevels. */
type Stretch = { start: string; n: number; level: number };

const finest = countLevels.length - 1;
const firstInstant = (start: string): string => start + '0000-01-01T00:00:00.000Z'.slice(start.length);

const placeOf = (start: string, { from = beginning, to = end }: PageRequest): 'inside' | 'outside' | 'edge' => {
  const last = `${start}\uffff`;
  if (last < from || firstInstant(start) >= to) return 'outside';
  return firstInstant(start) >= from && last < to ? 'inside' : 'edge';
};

/** The parts of one row of counters that count anything, in reading order. */
const partsOf = async (request: PageRequest, start: string, level: number): Promise<Stretch[]> => {
  const { name = '', before = '' } = countLevels[level] ?? {};
  const lists = listsOf(request).filter(isCounted);
  const rows = await Promise.all(lists.map((list) => getItem(keys.count(list, `${name}${start}`))));
  const counts = new Map<string, number>();
  for (const [part, n] of rows.flatMap((row) => [...countsByPart(row, request.facets)])) {
    counts.set(part, (counts.get(part) ?? 0) + n);
  }
  const parts = [...counts]
    .filter(([, n]) => n > 0)
    .map(([part, n]) => ({ start: `${start}${before}${part}`, n, level }));
  const ascending = parts.sort((left, right) => (left.start < right.start ? -1 : 1));
  return request.order === 'ASC' ? ascending : ascending.reverse();
};

/** The counted stretches of the request's range, in reading order. What lies in a second that the range cuts is read. */
async function* stretches(request: PageRequest, start = '', level = 0): AsyncGenerator<Stretch> {
  for (const part of await partsOf(request, start, level)) {
    const place = placeOf(part.start, request);
    if (place === 'inside') yield part;
    else if (place === 'edge' && level === finest) yield { ...part, n: await countWithin(request, part) };
    else if (place === 'edge') yield* stretches(request, part.start, level + 1);
  }
}

/** How many items of a second lie within the request's range: no counter says, as none is finer. */
const countWithin = async (request: PageRequest, { start, n }: Stretch): Promise<number> => {
  const { from = beginning, to = end } = request;
  const second = { ...request, from: later(from, start), to: earlier(to, `${start}\uffff`) };
  const read = await Promise.all(partitionsOf(request).map((one) => readPartition(second, one, undefined, n)));
  return read.reduce((sum, { items }) => sum + items.length, 0);
};

/** How many items the request's filters allow, from the counters; of a short list, from the list. */
export const countAll = async (request: PageRequest): Promise<number> => {
  if (listsOf(request).every(isShort)) return countRead(request);
  let sum = 0;
  for await (const { n } of stretches(request)) sum += n;
  return sum;
};

const countRead = async (request: PageRequest): Promise<number> => {
  let [sum, after, isEnd]: [number, string | undefined, boolean] = [0, undefined, false];
  while (!isEnd) {
    const read = await merged({ ...request, size: 100 }, after, 100);
    sum += read.items.length;
    after = read.items.length > 0 ? String(read.items.at(-1)?.['listSk']) : after;
    isEnd = read.isEnd;
  }
  return sum;
};

/** Where reading begins: after which position, how many items are then skipped, and how many lie before it. */
type Entry = { skip: number; from: string | undefined; passed: number };

/** How many items more than are counted a list may have: what the counters lag behind. */
const mostUncounted = 500;

/** Undefined if the offset lies beyond the list's end. */
const entryOf = async (request: PageRequest, after: string | undefined): Promise<Entry | undefined> => {
  const { offset = 0, size } = request;
  if (after !== undefined) return { skip: 0, from: after, passed: 0 };
  // The second page too is read from the beginning if that stays within two pages: it needs no counters then.
  const partitions = partitionsOf(request).length;
  const inVain = partitions > 1 ? partitions + 1 : 0;
  const isNear = offset === 0 || offset + inVain <= size;
  return isNear ? { skip: offset, from: undefined, passed: 0 } : entryAt(request, offset);
};

/** Enters at the second that holds the offset, so that few items are skipped one by one. */
const entryAt = async (request: PageRequest, offset: number): Promise<Entry | undefined> => {
  const from = (start: string) => (request.order === 'ASC' ? start : `${start}\uffff`);
  let skip = offset;
  let latest: Stretch | undefined;
  const enter = async (parts: AsyncIterable<Stretch> | Iterable<Stretch>): Promise<Entry | undefined> => {
    for await (const part of parts) {
      if (skip >= part.n) {
        skip -= part.n;
        latest = part;
      } else if (part.level === finest) return { skip, from: from(part.start), passed: offset - skip };
      else {
        const entry = await enter(await partsOf(request, part.start, part.level + 1));
        if (entry) return entry;
      }
    }
    return undefined;
  };
  const entry = await enter(stretches(request));
  if (entry || skip > mostUncounted) return entry;
  // Fewer are counted than the offset: what the counters lag behind is read one by one, from the last that is counted.
  const last = latest && (await lastSecondOf(request, latest));
  if (!last) return { skip, from: undefined, passed: offset - skip };
  return { skip: skip + last.n, from: from(last.start), passed: offset - skip - last.n };
};

/** The last second, in reading order, that counts anything within a stretch. */
const lastSecondOf = async (request: PageRequest, stretch: Stretch): Promise<Stretch> => {
  if (stretch.level === finest) return stretch;
  const last = (await partsOf(request, stretch.start, stretch.level + 1)).at(-1);
  return last ? lastSecondOf(request, last) : stretch;
};
