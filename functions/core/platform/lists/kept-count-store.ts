import { iso, milliseconds, nowMilliseconds } from '#core/kernel/clock.ts';
import { keys } from '../table/keys.ts';
import { ConditionFailedError, getItem, type Item, type Key, updateItem } from '../table/table.ts';
import {
  countFew,
  countRange,
  earlier,
  type ListPartition,
  later,
  type Range,
  readRangeEnds,
} from './list-index-store.ts';
import type { ListPlace } from './listing.ts';
import { type CountPlace, type CountSpan, indexLag, placesCounted, splitSpans } from './spans.ts';

/**
 * Counts of lists that are not counted as they change: a request counts the index, and stores the counts of days and hours that
 * are over. When an item of such a time changes, its count is forgotten. See docs/decisions/0064.
 */

/** A list with up to this many items is counted at once, and nothing is stored. */
const few = 400;
/** Queries in parallel. */
const atOnce = 8;
/** The number of spans that are counted before their counts are stored, so that the work of a call that is cut off is not lost. */
const chunkSize = 64;

/** A stretch of a list with its number of items. */
export type CountedRange = Range & { n: number };

/** Counts the items of a short list, as one stretch. */
export const countShort = async (partitions: readonly ListPartition[], range: Range): Promise<CountedRange[]> =>
  asOne(partitions, range, await each(partitions, (partition) => countRange(partition, range)));

/** The stretches of a list, in order of time, each with how many items all of its partitions have there. */
export const countOnDemand = async (partitions: readonly ListPartition[], range: Range): Promise<CountedRange[]> => {
  const most = Math.max(40, Math.floor(few / partitions.length));
  const fews = await each(partitions, (partition) => countFew(partition, range, most));
  if (fews.every((n) => n !== undefined)) return asOne(partitions, range, fews);
  const filled = partitions.filter((_, index) => fews[index] !== 0);
  const bounds = await readBounds(filled, range);
  const spans = bounds ? splitSpans(bounds, nowMilliseconds()) : [];
  const counts = await each(filled, (partition) => countSpans(partition, spans));
  return spans.map(({ from, to }, index) => ({
    from,
    to,
    n: counts.reduce((sum, own) => sum + (own[index] ?? 0), 0),
  }));
};

const asOne = async (
  partitions: readonly ListPartition[],
  range: Range,
  counts: readonly number[],
): Promise<CountedRange[]> => {
  const bounds = await readBounds(
    partitions.filter((_, index) => counts[index] !== 0),
    range,
  );
  return bounds ? [{ ...bounds, n: counts.reduce((sum, n) => sum + n, 0) }] : [];
};

/** The range, as far as it has items: to whole days, unless it begins or ends within one. */
const readBounds = async (partitions: readonly ListPartition[], range: Range): Promise<Range | undefined> => {
  const ends = await readRangeEnds(partitions, range);
  if (!ends) return undefined;
  const dayOf = (time: string): string => `${time.slice(0, 'YYYY-MM-DD'.length)}T00:00:00.000Z`;
  return {
    from: later(range.from, dayOf(ends.first)),
    to: earlier(range.to, iso(Date.parse(dayOf(ends.last)) + milliseconds.day)),
  };
};

const each = async <T, R>(all: readonly T[], act: (one: T, index: number) => R | Promise<R>): Promise<R[]> => {
  const results: R[] = [];
  const entries = all.entries();
  const worker = async () => {
    for (const [index, one] of entries) results[index] = await act(one, index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
};

const countSpans = async (partition: ListPartition, spans: readonly CountSpan[]): Promise<number[]> => {
  const buckets = [...new Set(spans.flatMap(({ place }) => (place ? [place.bucket] : [])))];
  const read = await each(buckets, (bucket) => getItem(keys.count(partition.partition, bucket)));
  const rows = new Map(buckets.map((bucket, index) => [bucket, read[index]]));
  const counts = spans.map(({ place }) => (place ? readKeptCount(rows.get(place.bucket), place) : undefined));
  const missing = spans.flatMap((span, index) => (counts[index] === undefined ? [{ span, index }] : []));
  for (let from = 0; from < missing.length; from += chunkSize) {
    const chunk = missing.slice(from, from + chunkSize);
    const began = nowMilliseconds();
    const found = await each(chunk, ({ span }) => countRange(partition, span));
    for (const [position, { index }] of chunk.entries()) counts[index] = found[position] ?? 0;
    await keep(
      partition,
      chunk.flatMap(({ span: { place } }, position) => (place ? [{ place, n: found[position] ?? 0 }] : [])),
      began,
    );
  }
  return counts.map((n = 0) => n);
};

const readKeptCount = (row: Item | undefined, { part }: CountPlace): number | undefined => {
  const n = row?.[part];
  return isKeptNumber(n) ? n : undefined;
};

/** Checks whether it is a count, not the negative time (milliseconds) at which a count was forgotten. */
export const isKeptNumber = (value: unknown): value is number => typeof value === 'number' && value >= 0;

type Found = { place: CountPlace; n: number };

const keep = async ({ partition }: ListPartition, counts: readonly Found[], began: number): Promise<void> => {
  await each([...Map.groupBy(counts, ({ place }) => place.bucket)], ([bucket, own]) =>
    keepIn(keys.count(partition, bucket), own, began),
  );
};

/** Counts of what changed since, or so shortly before that the index may have lagged, are not stored: the next request counts again. */
const keepIn = async (row: Key, counts: readonly Found[], began: number): Promise<void> => {
  const update = {
    Key: row,
    UpdateExpression: `SET ${counts.map((_, index) => `#p${index} = :n${index}`).join(', ')}`,
    ConditionExpression: counts
      .map((_, index) => `(attribute_not_exists(#p${index}) OR #p${index} > :settled)`)
      .join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(counts.map(({ place }, index) => [`#p${index}`, place.part])),
    ExpressionAttributeValues: {
      ':settled': indexLag - began,
      ...Object.fromEntries(counts.map(({ n }, index) => [`:n${index}`, n])),
    },
  };
  try {
    await updateItem(update);
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
    if (counts.length === 1) return;
    // In a long list some item of another day may always be changing: the other days are still stored.
    const half = counts.length >> 1;
    await Promise.all([counts.slice(0, half), counts.slice(half)].map((some) => keepIn(row, some, began)));
  }
};

/** Forgets counts that may include places where items came, went or moved. Doing it twice, late or in another order does no harm. */
export const forgetCounts = async (places: readonly ListPlace[]): Promise<void> => {
  const now = nowMilliseconds();
  const rows = new Map<string, { partition: string; bucket: string; parts: Set<string> }>();
  for (const { partition, time } of places) {
    for (const { bucket, part } of placesCounted(time, now)) {
      const name = `${partition}\n${bucket}`;
      const row = rows.get(name) ?? { partition, bucket, parts: new Set<string>() };
      row.parts.add(part);
      rows.set(name, row);
    }
  }
  await each([...rows.values()], ({ partition, bucket, parts }) => forget(keys.count(partition, bucket), [...parts]));
};

/** Forgets parts of one row, and invalidates whatever is being counted for it now. */
export const forget = (Key: Key, parts: readonly string[]): Promise<Item> =>
  updateItem({
    Key,
    UpdateExpression: `SET ${parts.map((_, index) => `#p${index} = :forgotten`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(parts.map((part, index) => [`#p${index}`, part])),
    ExpressionAttributeValues: { ':forgotten': -nowMilliseconds() },
  });
