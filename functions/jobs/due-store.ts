import { type Item, queryItems } from '#core/platform/table/table.ts';
import { duePartition } from '#core/platform/work/due.ts';

const pageSize = 250;

/** Reads one page of the rows of a shard that are due by a slot (inclusive), oldest first, after a position; `next`: where to continue. */
export const readDue = async (
  slot: string,
  shard: number,
  after: string | undefined,
): Promise<{ rows: Item[]; next: string | undefined }> => {
  const { items, lastKey } = await queryItems({
    IndexName: 'due',
    KeyConditionExpression: 'duePk = :shard AND dueSk BETWEEN :low AND :high',
    ExpressionAttributeValues: {
      ':shard': duePartition(shard),
      // Nothing sorts between a text and the same with a NUL behind it.
      ':low': after === undefined ? '0' : `${after}\u0000`,
      ':high': `${slot}#\uffff`,
    },
    Limit: pageSize,
  });
  const last = items.at(-1)?.['dueSk'];
  return { rows: items, next: lastKey && typeof last === 'string' ? last : undefined };
};
