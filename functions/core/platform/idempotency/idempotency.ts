import { milliseconds } from '#core/kernel/clock.ts';
import { Refusal } from '../operation/errors.ts';
import type { Caller } from '../operation/operation.ts';

/** The key of the header, if there is one. Throws request_invalid. */
export const idempotencyKeyOf = (headers: Readonly<Record<string, string | undefined>>): string | undefined => {
  const key = headers['idempotency-key'];
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new Refusal('request_invalid', 'idempotency-key: must have 1 to 255 printable ASCII characters');
};

type Called = { caller: Caller; params: unknown };

/** Returns the owner of a call's keys: a merchant, one operator, or the site or transaction that the path names. */
export const keyOwnerOf = ({ caller: { scope, mid, subject }, params }: Called): string => {
  if (scope === 'merchant') return `M${mid}`;
  return scope === 'admin' ? `admin:${subject}` : `${subject}:${JSON.stringify(params)}`;
};

/** A killed function cannot have been running for longer than its time limit; two seconds are for clocks that differ. */
export const leaseMilliseconds = ({ timeoutSeconds = 28 }: { timeoutSeconds?: number }): number =>
  (timeoutSeconds + 2) * milliseconds.second;

/** A call that was killed is rare and one in progress is done within a few seconds, so a caller need not wait for the whole lease. */
const maxRetryAfterSeconds = 5;

export const keyInUse = (leaseUntil: number, now: number): Refusal => {
  const seconds = Math.ceil((leaseUntil - now) / milliseconds.second);
  return new Refusal(
    'idempotency_key_in_use',
    'idempotency-key: the first call with it is in progress. Send it again later.',
    {
      headers: { 'retry-after': String(Math.min(Math.max(seconds, 1), maxRetryAfterSeconds)) },
    },
  );
};

export const keyReused = (): Refusal =>
  new Refusal(
    'idempotency_key_reused',
    'idempotency-key: was used with another body, or by an API key with other sites. Use a new key for a new request.',
  );
