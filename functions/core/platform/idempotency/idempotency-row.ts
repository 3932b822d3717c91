import * as v from 'valibot';
import { milliseconds } from '#core/kernel/clock.ts';
import type { Item, Key } from '../table/item.ts';
import { defineRow } from '../table/row.ts';

/** A call with an idempotency key: in progress, interrupted, or done. */
export type KeptCall = {
  /** Keyed digest of what was asked: see core/kernel/content-digest.ts. */
  content: string;
  /** The attempt that holds the key until `leaseUntil` (milliseconds since 1970). */
  attempt: string;
  leaseUntil: number;
  /** The number of what an attempt has made, from the moment in which it is written. */
  made?: number | undefined;
  /** The sealed first answer, once there is one. */
  answer?: string | undefined;
  /** Unix seconds. */
  ttl: number;
};

export const keptSeconds = milliseconds.day / milliseconds.second;

const CallRow = defineRow<KeptCall>({
  entity: 'IDEMPOTENCY',
  attribute: null,
  schema: v.looseObject({
    content: v.string(),
    attempt: v.string(),
    leaseUntil: v.number(),
    made: v.exactOptional(v.number()),
    answer: v.exactOptional(v.string()),
    ttl: v.number(),
  }),
});

export const toCallItem = (key: Key, call: KeptCall): Item => ({ ...key, ...CallRow.stamp, ...call });

/** The call that a row keeps; undefined once its day is over, as DynamoDB removes rows late. `now`: milliseconds. */
export const fromCallItem = (item: Item | undefined, now: number): KeptCall | undefined => {
  const call = CallRow.find(item);
  return call && call.ttl * milliseconds.second > now ? call : undefined;
};
