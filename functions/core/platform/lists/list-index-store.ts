import type { IndexName } from '../operation/grants.ts';
import { type Item, queryItems, queryPages } from '../table/table.ts';

/** One partition of a list index: a list, or one facet of it. */
export type ListPartition = { index: IndexName; partition: string };

/** A stretch of positions: `from` inclusive, `to` exclusive. */
export type Range = { from: string; to: string };

export const later = (left: string, right: string): string => (left > right ? left : right);
export const earlier = (left: string, right: string): string => (left < right ? left : right);

/** The greatest text below `position`, because BETWEEN includes its upper end: the last character is one less. */
const below = (position: string): string => {
  const last = position.charCodeAt(position.length - 1);
  return `${position.slice(0, -1)}${String.fromCharCode(last - 1)}\uffff`;
};

const between = ({ index, partition }: ListPartition, low: string, high: string) => ({
  IndexName: index,
  KeyConditionExpression: '#partition = :partition AND listSk BETWEEN :low AND :high',
  ExpressionAttributeNames: { '#partition': `${index}Pk` },
  ExpressionAttributeValues: { ':partition': partition, ':low': low, ':high': high },
});

export type Piece = { items: Item[]; lastKey: Record<string, unknown> | undefined };

/** The first items of a partition's range in reading order, those after a position if one is given. */
export const readRange = (
  partition: ListPartition,
  { from, to }: Range,
  { order, after, limit, only }: { order: 'ASC' | 'DESC'; after?: string | undefined; limit: number; only?: 'listSk' },
): Promise<Piece> => {
  const isAscending = order === 'ASC';
  const low = isAscending && after !== undefined ? later(from, `${after}\u0000`) : from;
  const high = !isAscending && after !== undefined ? earlier(below(to), below(after)) : below(to);
  if (low > high) return Promise.resolve({ items: [], lastKey: undefined });
  return queryItems({
    ...between(partition, low, high),
    ScanIndexForward: isAscending,
    Limit: limit,
    ...(only && { ProjectionExpression: only }),
  });
};

/** All items of a partition's range: for lists that are short. */
export const readWhole = async (partition: ListPartition, range: Range, order: 'ASC' | 'DESC'): Promise<Item[]> => {
  const found: Item[] = [];
  let after: string | undefined;
  do {
    const { items, lastKey } = await readRange(partition, range, { order, after, limit: 100 });
    found.push(...items);
    after = lastKey && String(items.at(-1)?.['listSk']);
  } while (after !== undefined);
  return found;
};

/** Counts the items of a partition's range in DynamoDB, without returning them. */
export const countRange = async (partition: ListPartition, { from, to }: Range): Promise<number> => {
  if (from >= to) return 0;
  let sum = 0;
  for await (const { n } of queryPages({ ...between(partition, from, below(to)), Select: 'COUNT' })) sum += n;
  return sum;
};

/** The same if there are no more than `most`; else undefined. */
export const countFew = async (
  partition: ListPartition,
  { from, to }: Range,
  most: number,
): Promise<number | undefined> => {
  if (from >= to) return 0;
  const query = { ...between(partition, from, below(to)), Select: 'COUNT' as const, Limit: most + 1 };
  for await (const { n, isLast } of queryPages(query)) return isLast ? n : undefined;
  return 0;
};

/** The times of a range's first and last items over all partitions; undefined if it is empty. */
export const readRangeEnds = async (
  partitions: readonly ListPartition[],
  range: Range,
): Promise<{ first: string; last: string } | undefined> => {
  if (range.from >= range.to) return undefined;
  const timeAt = async (partition: ListPartition, order: 'ASC' | 'DESC'): Promise<string[]> => {
    const { items } = await readRange(partition, range, { order, limit: 1, only: 'listSk' });
    return items.map(({ listSk }) => String(listSk).split('#', 1)[0] ?? '');
  };
  const times = await Promise.all(partitions.flatMap((one) => [timeAt(one, 'ASC'), timeAt(one, 'DESC')]));
  const [first, last] = [times.flat().sort().at(0), times.flat().sort().at(-1)];
  return first === undefined || last === undefined ? undefined : { first, last };
};
