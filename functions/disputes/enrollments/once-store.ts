import { nowIso } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { getItem, type Item } from '#core/platform/table/table.ts';
import { fromOnceItem, type IdempotentCall, onceKey } from './once-row.ts';
import type { EnrollmentAnswer } from './schemas.ts';

/** The call that a header `idempotency-key` names; undefined without one. Throws request_invalid. */
export const onceOf = (
  key: string | undefined,
  { scope, subject, mid }: Caller,
  body: object,
): IdempotentCall | undefined => {
  if (key === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Refusal('request_invalid', 'idempotency-key: must have 1 to 255 printable ASCII characters');
  }
  const owner = scope === 'merchant' ? `M${mid}` : `${scope}:${subject}`;
  return { scope: sha256(owner), key: sha256(key), body: sha256(JSON.stringify(body)) };
};

/** The reply that the same call got before, if there was one. Throws idempotency_key_reused if it had another body. */
export const findEarlierAnswer = async (once: IdempotentCall): Promise<EnrollmentAnswer | undefined> =>
  storedAnswerOf(once, await getItem(onceKey(once)));

/** The same, from the row that failed the condition. */
export const storedAnswerOf = (once: IdempotentCall, item: Item | undefined): EnrollmentAnswer | undefined => {
  const known = fromOnceItem(item, nowIso());
  if (known && known.body !== once.body)
    throw new Refusal('idempotency_key_reused', 'Use a new key for a new request.');
  return known?.answer;
};
