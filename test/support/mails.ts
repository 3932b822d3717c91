import type { Mail } from '#core/platform/mail/mail.ts';
import { fromMailItem } from '#core/platform/mail/mail-row.ts';
import { getItem, queryItems } from '#core/platform/table/table.ts';
import { duePartition, dueShards } from '#core/platform/work/due.ts';

/** The unsent e-mails of a site, oldest first. */
export const readMails = async ({ sid }: { sid: number }): Promise<Mail[]> => {
  const shards = await Promise.all(
    Array.from({ length: dueShards }, (_, shard) =>
      queryItems({
        IndexName: 'due',
        KeyConditionExpression: 'duePk = :shard',
        ExpressionAttributeValues: { ':shard': duePartition(shard) },
      }),
    ),
  );
  const rows = shards.flatMap(({ items }) => items).filter(({ entity }) => entity === 'MAIL');
  const all = await Promise.all(rows.map(({ id }) => getItem({ pk: `MAIL#${id}`, sk: 'MAIL' })));
  const mails = all.filter((row) => row?.['kind'] !== 'diversion_notice');
  const own = mails.flatMap((item) => (item && item['sid'] === sid ? [fromMailItem(item)] : []));
  return own.toSorted((left, right) => (left.createdAt < right.createdAt ? -1 : 1));
};
