import { decodeCursor, encodeCursor } from '#core/platform/lists/cursor.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { canAccessMerchant } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem, queryItems } from '#core/platform/table/table.ts';
import { fromApiKeyItem } from './api-key-row.ts';
import { hasResult, type KeyRequest, type KeyRequestResult } from './key-request.ts';
import { fromKeyRequestItem, toKeyRequestItem } from './key-request-row.ts';

const writesAtOnce = 25;

/** Records requests; one that is recorded again is the same row. */
export const recordKeyRequests = async (requests: readonly KeyRequest[]): Promise<void> => {
  for (let from = 0; from < requests.length; from += writesAtOnce) {
    const batch = requests.slice(from, from + writesAtOnce);
    await Promise.all(batch.map((request) => putItem(toKeyRequestItem(request))));
  }
};

type Wanted = {
  id: number;
  day: string;
  result?: KeyRequestResult | undefined;
  size: number;
  cursor?: string | undefined;
};

/** The most rows that one call reads while it searches for a result. */
const rowsPerQuery = 500;
const maxQueries = 4;

/** One page of the requests of a key on a day (UTC), newest first. Throws api_key_not_found. */
export const readKeyRequests = async ({ id, day, result, size, cursor }: Wanted, caller: Caller) => {
  const key = fromApiKeyItem(await getItem(keys.apiKey(id)));
  if (!key || !canAccessMerchant(caller, key.mid)) throw new Refusal('api_key_not_found', 'id: you have no such key.');
  const pk = keys.keyRequestDay(id, day);
  const list: KeyRequest[] = [];
  let before = cursor === undefined ? undefined : decodeCursor(cursor);
  for (let queries = 0; queries < maxQueries; queries += 1) {
    const { items, lastKey } = await queryItems({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ScanIndexForward: false,
      Limit: result ? rowsPerQuery : size,
      ...(before !== undefined && { ExclusiveStartKey: { pk, sk: before } }),
    });
    const fitting = items.filter((item) => !result || hasResult(fromKeyRequestItem(item), result));
    const shown = fitting.slice(0, size - list.length);
    list.push(...shown.map(fromKeyRequestItem));
    const last = fitting.length > shown.length ? shown.at(-1) : lastKey;
    before = last && String(last['sk']);
    if (before === undefined || list.length === size) break;
  }
  return { list, next_cursor: before === undefined ? null : encodeCursor(before) };
};
