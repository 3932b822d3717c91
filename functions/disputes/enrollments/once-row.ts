import * as v from 'valibot';
import { milliseconds } from '#core/kernel/clock.ts';
import type { Item, Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { EnrollmentAnswer } from './schemas.ts';

/** A call that may be repeated: its caller, its key and its body, all as digests. */
export type IdempotentCall = { scope: string; key: string; body: string };

export type AnsweredCall = { body: string; answer: EnrollmentAnswer };

const keptMilliseconds = milliseconds.day;

const OnceRow = defineRow<AnsweredCall & { ttl: number }>({
  entity: 'IDEMPOTENCY',
  attribute: null,
  fields: { body: v.string(), answer: v.object({ enrollment_request_id: v.number() }), ttl: v.number() },
});

export const onceKey = ({ scope, key }: IdempotentCall) => keys.idempotency(scope, key);

/** The part of a transaction that keeps a reply for a day. Its condition fails if the key was used. `at`: ISO. */
export const onceWrite = (once: IdempotentCall, answer: EnrollmentAnswer, at: string): Write => ({
  Put: {
    Item: {
      ...onceKey(once),
      ...OnceRow.stamp,
      body: once.body,
      answer,
      ttl: Math.ceil((Date.parse(at) + keptMilliseconds) / 1000),
    },
    ConditionExpression: 'attribute_not_exists(pk) OR #ttl <= :now',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':now': Math.floor(Date.parse(at) / 1000) },
  },
});

/** The reply kept for the key, unless its day is over. `at`: ISO. */
export const fromOnceItem = (item: Item | undefined, at: string): AnsweredCall | undefined => {
  const once = OnceRow.find(item);
  return once && once.ttl > Math.floor(Date.parse(at) / 1000) ? { body: once.body, answer: once.answer } : undefined;
};
