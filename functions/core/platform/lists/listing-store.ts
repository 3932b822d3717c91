import { iso, milliseconds, nowMilliseconds } from '#core/kernel/clock.ts';
import type { IndexName } from '../operation/grants.ts';
import { keys } from '../table/keys.ts';
import { getItem, type Item } from '../table/table.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { countOnDemand, countShort } from './kept-count-store.ts';
import {
  countRange,
  earlier,
  type ListPartition,
  later,
  type Range,
  readRange,
  readRangeEnds,
  readWhole,
} from './list-index-store.ts';
import {
  countsByPart,
  isCountedEachTime,
  isCountedList,
  isOnDemand,
  isShort,
  listsOf as listsOfScope,
} from './listing.ts';
import { calendarSpan } from './spans.ts';
import { type PageWanted, wholeListPage } from './whole-list.ts';

/** Which list, and which part of it. */
export type PageRequest<Summary = Item> = PageWanted & {
  /** Several entities or scopes form one list; no item may be in two of them. */
  entity: string | readonly string[];
  /** Which of the item's scopes, and its value. The fifth has an index by facet only. */
  scopeIndex: 1 | 2 | 3 | 4 | 5;
  scope: string | readonly string[];
  /** The facet of an item, from its summary: for lists of one alert, which have no indexes by facet. */
  facetOf?: ((summary: Summary) => string) | undefined;
};

export type Page<Summary = Item> = {
  /** The item's `summary`, which is all that the list shows. */
  list: Summary[];
  totalResult: number;
  next_cursor: string | null;
};

const beginning = '0000';
const end = '9999';

/** An item's summary, as the item's only writer stored it. */
const readSummary = <Summary>(item: Item): Summary => item['summary'] as Summary;

/**
 * Reads one page. It reads at most twice as many items as a page has, and a few rows of counters; at an offset it also counts
 * items of the hour that the offset falls in. (A filter by more facets than a page has items reads one more of each.) `totalResult`
 * follows the items through the stream, within seconds; it is exact whenever the first pages reach the list's end. `Summary` is what
 * the entity's row writes there.
 */
export const readPage = async <Summary = Item>({
  facetOf,
  ...request
}: PageRequest<Summary>): Promise<Page<Summary>> => {
  if (request.facets && requestedLists(request).every(isShort)) return readFiltered(request, facetOf);
  const after = request.cursor === undefined ? undefined : decodeCursor(request.cursor);
  const entry = await findEntry(request, after);
  if (!entry) return { list: [], totalResult: await countAll(request), next_cursor: null };
  const read = await mergePartitions(request, entry.from, request.size + entry.skip);
  const items = read.items.slice(entry.skip);
  const last = items.at(-1);
  const seen = entry.passed + read.items.length;
  return {
    list: items.map((item) => readSummary<Summary>(item)),
    totalResult: after === undefined && read.isEnd ? seen : Math.max(await countAll(request), seen + read.ahead),
    next_cursor: last && !read.isEnd ? encodeCursor(String(last['listSk'])) : null,
  };
};

/** A page of a list of one alert, which is read whole and filtered here. */
const readFiltered = async <Summary>(
  request: PageRequest,
  facetOf: PageRequest<Summary>['facetOf'],
): Promise<Page<Summary>> => {
  if (!facetOf) throw new Error(`Nothing says how ${request.entity} of an alert are filtered`);
  const [partition, other] = listPartitions({ ...request, facets: undefined });
  if (!partition || other) throw new Error('Lists of several alerts are not merged');
  const items = await readWhole(partition, askedRange(request), request.order);
  const all = items.map((item) => {
    const summary = readSummary<Summary>(item);
    return { position: String(item['listSk']), facet: facetOf(summary), summary };
  });
  return wholeListPage(all, request);
};

/** The first items of a list without a total, for lists that are not counted. It reads at most one item more. */
export const readFirst = async <Summary = Item>(request: PageRequest): Promise<Summary[]> => {
  const { items } = await mergePartitions(request, undefined, request.size);
  return items.map((item) => readSummary<Summary>(item));
};

type Run = { partition: ListPartition; held: Item[]; after: string | undefined; open: boolean };

const requestedLists = ({ entity, scope }: PageRequest): string[] =>
  [entity].flat().flatMap((one) => [scope].flat().flatMap((other) => listsOfScope(one, other)));

const listPartitions = (request: PageRequest): ListPartition[] => {
  const { facets, scopeIndex } = request;
  const index = `list${scopeIndex}${facets ? 'f' : ''}` as IndexName;
  const lists = requestedLists(request);
  const names = facets ? lists.flatMap((list) => facets.map((facet) => `${list}#${facet}`)) : lists;
  return names.map((partition) => ({ index, partition }));
};

const askedRange = ({ from = beginning, to = end }: PageRequest): Range => ({ from, to });

/** Merges the partitions of the facets by position, each read in small pieces to avoid unused reads. */
const mergePartitions = async (request: PageRequest, after: string | undefined, wanted: number) => {
  const partitions = listPartitions(request);
  // One extra item tells whether the list goes on, unless it would be one too many.
  const ahead = wanted < 2 * request.size ? 1 : 0;
  const spare = 2 * request.size - wanted - ahead;
  const piece = partitions.length === 1 ? wanted + ahead : Math.max(1, Math.floor(spare / partitions.length));
  const runs = partitions.map((partition): Run => ({ partition, held: [], after, open: true }));
  const fill = async (run: Run) => {
    if (!run.open || run.held.length > 0) return;
    const reading = { order: request.order, after: run.after, limit: piece };
    const { items, lastKey } = await readRange(run.partition, askedRange(request), reading);
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

/** A stretch of time and its count of items; `isMonth` if there are counters for its hours too. */
type Stretch = Range & { n: number; isMonth?: true };

const inReadingOrder = <T>({ order }: PageRequest, ascending: readonly T[]): readonly T[] =>
  order === 'ASC' ? ascending : ascending.toReversed();

const within = (request: PageRequest, { from, to }: Range): Range => {
  const range = askedRange(request);
  return { from: later(range.from, from), to: earlier(range.to, to) };
};

/** Rows of the lists for one time, as one: how many items each of its parts counts, in order. */
const readParts = async (request: PageRequest, bucket: string): Promise<[part: string, n: number][]> => {
  const lists = requestedLists(request).filter(isCountedList);
  const rows = await Promise.all(lists.map((list) => getItem(keys.count(list, bucket))));
  const counts = new Map<string, number>();
  for (const [part, n] of rows.flatMap((row) => [...countsByPart(row, request.facets)])) {
    counts.set(part, (counts.get(part) ?? 0) + n);
  }
  return [...counts].filter(([, n]) => n > 0).sort(([left], [right]) => (left < right ? -1 : 1));
};

const isWithin = (inner: Range, outer: Range): boolean => inner.from >= outer.from && inner.to <= outer.to;

/** The months with counted items in the request's range, in reading order. */
const readMonths = async (request: PageRequest): Promise<readonly Stretch[]> => {
  const months = (await readParts(request, 'ALL')).map(([month, n]) => ({
    ...calendarSpan(month),
    n,
    isMonth: true as const,
  }));
  return inReadingOrder(
    request,
    months.filter(({ from, to }) => from < askedRange(request).to && to > askedRange(request).from),
  );
};

/** The hours of a month with counted items in the request's range, in reading order; if the range cuts an hour, only its part. */
const readHours = async (request: PageRequest, month: Range): Promise<readonly Stretch[]> => {
  const { from, to } = within(request, month);
  const days: string[] = [];
  for (let at = Date.parse(`${from.slice(0, 'YYYY-MM-DD'.length)}T00:00:00Z`); iso(at) < to; at += milliseconds.day) {
    days.push(iso(at).slice(0, 'YYYY-MM-DD'.length));
  }
  const found = await Promise.all(
    days.map(async (day) => {
      const parts = await readParts(request, `DAY#${day}`);
      return parts.map(([part, n]) => ({ ...calendarSpan(`${day}T${part}`), n }));
    }),
  );
  const hours = found.flat().filter((hour) => hour.from < to && hour.to > from);
  return inReadingOrder(
    request,
    await Promise.all(
      hours.map(async (hour) =>
        isWithin(hour, askedRange(request)) ? hour : { ...within(request, hour), n: await countWithin(request, hour) },
      ),
    ),
  );
};

/** Counts the items of a stretch within the request's range, in the index. */
const countWithin = async (request: PageRequest, stretch: Range): Promise<number> => {
  const counts = await Promise.all(listPartitions(request).map((one) => countRange(one, within(request, stretch))));
  return counts.reduce((sum, n) => sum + n, 0);
};

/** The stretches of the request's range, in reading order: months, or hours of months that the range cuts; or those counted on demand. */
async function* stretches(request: PageRequest): AsyncGenerator<Stretch> {
  const lists = requestedLists(request);
  if (lists.every(isOnDemand)) {
    const count = lists.every(isCountedEachTime) ? countShort : countOnDemand;
    yield* inReadingOrder(request, await count(listPartitions(request), askedRange(request)));
    return;
  }
  for (const month of await readMonths(request)) {
    if (isWithin(month, askedRange(request))) yield month;
    else yield* await readHours(request, month);
  }
}

/** Counts the items that the request's filters allow, from the counters or, for a list without counters, from the list. */
export const countAll = async (request: PageRequest): Promise<number> => {
  let sum = 0;
  for await (const { n } of stretches(request)) sum += n;
  return sum;
};

/** Where reading begins: after which position, how many items are then skipped, and how many lie before it. */
type Entry = { skip: number; from: string | undefined; passed: number };

/** The largest number of items of a list that may not be counted yet, because the counters lag. */
const maxUncounted = 500;

/** Undefined if the offset lies beyond the list's end. */
const findEntry = async (request: PageRequest, after: string | undefined): Promise<Entry | undefined> => {
  const { offset = 0, size } = request;
  if (after !== undefined) return { skip: 0, from: after, passed: 0 };
  // The second page too is read from the beginning if that stays within two pages: it needs no counters then.
  const partitions = listPartitions(request).length;
  const inVain = partitions > 1 ? partitions + 1 : 0;
  const isNear = offset === 0 || offset + inVain <= size;
  return isNear ? { skip: offset, from: undefined, passed: 0 } : entryAt(request, offset);
};

/** Starts in the hour that holds the offset, close enough that few items are skipped one by one. */
const entryAt = async (request: PageRequest, offset: number): Promise<Entry | undefined> => {
  let skip = offset;
  let last: Stretch | undefined;
  const pass = async (parts: AsyncIterable<Stretch> | Iterable<Stretch>): Promise<Stretch | undefined> => {
    for await (const part of parts) {
      if (skip < part.n) return part;
      skip -= part.n;
      last = part;
    }
    return undefined;
  };
  const found = await pass(stretches(request));
  const hour = found?.isMonth ? await pass(await readHours(request, found)) : found;
  if (hour) return enterWithin(request, hour, offset, skip);
  if (skip > maxUncounted) return undefined;
  // Fewer are counted than the offset: the items not counted yet are looked for from the last counted one.
  const latest = last?.isMonth ? (await readHours(request, last)).at(-1) : last;
  if (!latest) return { skip, from: undefined, passed: offset - skip };
  const { from, to } =
    request.order === 'ASC'
      ? { from: latest.from, to: iso(nowMilliseconds() + milliseconds.day) }
      : { from: iso(0), to: latest.to };
  return enterWithin(request, { from, to: later(to, latest.to) }, offset, skip + latest.n);
};

/** Halves a stretch until few of its items lie before the offset. `skip`: how many of them do. */
const enterWithin = async (request: PageRequest, stretch: Range, offset: number, skip: number): Promise<Entry> => {
  const isAscending = request.order === 'ASC';
  const bounds = within(request, stretch);
  const ends = await readRangeEnds(listPartitions(request), bounds);
  const [first, last] = ends ? [ends.first, ends.last] : [bounds.from, bounds.from];
  let [from, to, left] = [Date.parse(first), Date.parse(last) + 1, skip];
  while (left > request.size / 4 && to - from > 1) {
    const middle = Math.floor((from + to) / 2);
    const n = await countWithin(
      request,
      isAscending ? { from: iso(from), to: iso(middle) } : { from: iso(middle), to: iso(to) },
    );
    const isBefore = left >= n;
    if (isBefore) left -= n;
    if (isBefore === isAscending) from = middle;
    else to = middle;
  }
  return { skip: left, from: isAscending ? iso(from) : iso(to), passed: offset - left };
};
