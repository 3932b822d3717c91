import type { Item, Key, Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { countFunds, type Ledger } from './ledger.ts';

export const balanceShards = 8;

/** The rows among which a site's funds are spread, so that payments at the same moment fall on different ones. */
export const balanceKeys = (sid: number): Key[] =>
  Array.from({ length: balanceShards }, (_, shard) => keys.balance(sid, shard));

/** A site's rows of funds as they were read, in the order of their keys. */
export type SeenFunds = readonly (Item | undefined)[];

const availableIn = (item: Item | undefined, currency: string): bigint =>
  BigInt(String(item?.[`available#${currency}`] ?? 0));

/** Returns the part of a site's funds that can be withdrawn in a currency. */
export const sumAvailable = (seen: SeenFunds, currency: string): bigint =>
  seen.reduce((sum, item) => sum + availableIn(item, currency), 0n);

/**
 * Adds a ledger's change to one of the site's rows of funds. `seen`: the funds from which something is taken; each row must have at least
 * as much as then. Concurrent payments do not conflict, and of two payouts of the same money one starts again.
 */
export const fundsWrites = (before: Ledger | null, after: Ledger, seen?: SeenFunds): Write[] => {
  const { sid, parentTxid, currency } = after;
  const { available, reserved } = countFunds(after);
  const was = before ? countFunds(before) : { available: 0n, reserved: 0n };
  const [more, kept] = [available - was.available, reserved - was.reserved];
  if (more === 0n && kept === 0n) return [];
  const own = parentTxid % balanceShards;
  const names = { '#available': `available#${currency}` };
  const conditions = (seen ?? []).map((item) => stillThere(availableIn(item, currency)));
  const others = conditions.flatMap(({ condition, values }, shard) =>
    shard === own
      ? []
      : [
          {
            ConditionCheck: {
              Key: keys.balance(sid, shard),
              ConditionExpression: condition,
              ExpressionAttributeNames: names,
              ExpressionAttributeValues: values,
            },
          },
        ],
  );
  return [
    {
      Update: {
        Key: keys.balance(sid, own),
        UpdateExpression: 'SET #entity = :entity ADD #available :more, #reserved :kept',
        ...(conditions[own] && { ConditionExpression: conditions[own].condition }),
        ExpressionAttributeNames: { '#entity': 'entity', ...names, '#reserved': `reserved#${currency}` },
        ExpressionAttributeValues: { ':entity': 'BALANCE', ':more': more, ':kept': kept, ...conditions[own]?.values },
      },
    },
    ...others,
  ];
};

/** A row that does not exist yet counts as zero. */
const stillThere = (least: bigint): { condition: string; values: Record<string, bigint> } => ({
  condition: least > 0n ? '#available >= :least' : '(attribute_not_exists(#available) OR #available >= :least)',
  values: { ':least': least },
});
