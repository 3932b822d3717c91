import { nowIso } from '#core/kernel/clock.ts';
import { decodeCursor, encodeCursor } from '#core/platform/lists/cursor.ts';
import { listPosition } from '#core/platform/lists/listing.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, queryItems, tryTransact } from '#core/platform/table/table.ts';
import type { Rate } from './rate.ts';
import { fromListedRate, fromRateItem, ratesInForce, rateWrites } from './rate-row.ts';

/** Puts a rate in force, and returns the one before; earlier ones stay in the history. `by`: who. Throws changed_meanwhile. */
export const setRate = async (
  fields: Pick<Rate, 'from' | 'to' | 'rate' | 'source'>,
  by: string,
): Promise<{ before: Rate | undefined; rate: Rate }> => {
  const before = fromRateItem(await getItem(keys.currentRate(fields.from, fields.to)));
  const rate: Rate = { ...fields, at: nowIso(), by };
  if (await tryTransact({ rate: rateWrites(rate) })) {
    throw new Refusal('changed_meanwhile', 'Somebody else set this rate at the same moment. Check which one is right.');
  }
  return { before, rate };
};

type Page = { size: number; cursor?: string | undefined };
type RatePage = { rates: Rate[]; nextCursor: string | null };

/** The rates that a pair of currencies has had, newest first. */
export const rateHistory = async (from: string, to: string, { size, cursor }: Page): Promise<RatePage> => {
  const { pk, sk: first } = keys.rate(from, to, '');
  const { items, lastKey } = await queryItems({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :first)',
    ExpressionAttributeValues: { ':pk': pk, ':first': first },
    ScanIndexForward: false,
    Limit: size,
    ...(cursor !== undefined && { ExclusiveStartKey: keys.rate(from, to, cursorTime(cursor)) }),
  });
  return toRatePage(
    items.flatMap((item) => fromRateItem(item) ?? []),
    lastKey,
  );
};

/** Every pair's rate in force, the latest first. */
export const ratesNow = async ({ size, cursor }: Page): Promise<RatePage> => {
  const { items, lastKey } = await queryItems({
    IndexName: 'list1',
    KeyConditionExpression: 'list1Pk = :list',
    ExpressionAttributeValues: { ':list': ratesInForce },
    ScanIndexForward: false,
    Limit: size,
    ...(cursor !== undefined && { ExclusiveStartKey: startAt(cursor) }),
  });
  return toRatePage(items.map(fromListedRate), lastKey);
};

const ratePosition = ({ from, to, at }: Rate): string => listPosition(at, `${from}-${to}`);

const toRatePage = (rates: Rate[], lastKey: unknown): RatePage => {
  const last = rates.at(-1);
  return { rates, nextCursor: lastKey && last ? encodeCursor(ratePosition(last)) : null };
};

const cursorTime = (cursor: string): string => decodeCursor(cursor).split('#')[0] ?? '';

/** Where a page of the index starts: after the item that its cursor names. */
const startAt = (cursor: string) => {
  const listSk = decodeCursor(cursor);
  const [from = '', to = ''] = (listSk.split('#')[1] ?? '').split('-');
  return { ...keys.currentRate(from, to), list1Pk: ratesInForce, listSk };
};
