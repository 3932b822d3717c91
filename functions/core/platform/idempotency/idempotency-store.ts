import { nowMilliseconds } from '#core/kernel/clock.ts';
import { contentWriter, digestContent, isDigestOf } from '#core/kernel/content-digest.ts';
import { type KeyRing, open, seal, sha256 } from '#core/kernel/crypto.ts';
import { randomText } from '#core/kernel/ids.ts';
import { WithHeaders } from '../http/http.ts';
import { describeError, log } from '../log/log.ts';
import type { Caller, Operation, Reply, Request } from '../operation/operation.ts';
import { keyRing } from '../secrets/secrets.ts';
import type { Key, Write } from '../table/item.ts';
import { keys } from '../table/keys.ts';
import { ConditionFailedError, putItem, updateItem } from '../table/table.ts';
import { idempotencyKeyOf, keyInUse, keyOwnerOf, keyReused, leaseMilliseconds } from './idempotency.ts';
import { fromCallItem, type KeptCall, keptSeconds, toCallItem } from './idempotency-row.ts';

/** The idempotency key of a call, as its operation sees it. */
export type KeyClaim = {
  /** The number of what an interrupted attempt of the same call has made: the operation returns that instead of making another. */
  made: number | undefined;
  /**
   * The part of a transaction that records what this attempt makes. Its condition fails if another attempt has taken over, so
   * that two attempts never both make something.
   */
  write: (made: number) => Write;
  /** The refusal for when that condition fails. */
  overtaken: () => Error;
};

type Run<O extends Operation> = (request: Request<O>, claim?: KeyClaim) => Promise<Reply<O>>;

/**
 * The handler of an operation that is declared `idempotent`: with the header `idempotency-key`, the first answer is kept for a day and
 * returned to repetitions, which run nothing. A refused or failed call keeps nothing, so that it may be repeated or corrected under
 * the same key. `authenticate`: proves the caller of an operation that does so itself, before anything is read or kept for them.
 * Throws request_invalid, idempotency_key_reused, idempotency_key_in_use, and whatever `authenticate` and `run` throw.
 */
export const idempotent =
  <O extends Operation>(
    operation: O,
    run: Run<O>,
    { authenticate }: { authenticate?: (request: Request<O>) => Promise<unknown> } = {},
  ) =>
  async (request: Request<O>): Promise<Reply<O> | WithHeaders<Reply<O>>> => {
    const key = idempotencyKeyOf(request.headers);
    if (key === undefined) return run(request);
    await authenticate?.(request);
    const call = await readCall(operation, request as Request<Operation>, key);
    const claimed = await claimKey(call);
    if ('answer' in claimed) return new WithHeaders(claimed.answer as Reply<O>, { 'idempotent-replayed': 'true' });
    try {
      const reply = await run(request, toKeyClaim(call, claimed));
      await settleKey(call, claimed, { answer: seal(call.ring, sealContext(call), JSON.stringify(reply)) });
      return reply;
    } catch (error) {
      await settleKey(call, claimed, {});
      throw error;
    }
  };

type Call = { row: Key; ring: KeyRing; content: string; lease: number };

const readCall = async (operation: Operation, request: Request<Operation>, key: string): Promise<Call> => {
  const { params, sent, caller } = request;
  const name = `${operation.area}/${operation.name}`;
  return {
    row: keys.idempotency(sha256(`${name} ${keyOwnerOf(request)}`), sha256(key)),
    ring: await keyRing('encryption'),
    content: contentWriter(`${name} ${JSON.stringify(params)}${sitesIn(caller)}`, sent)(),
    lease: leaseMilliseconds(operation),
  };
};

/** A program that is limited to sites gets no answer that was kept for one with other sites: its sites are part of what it asks for. */
const sitesIn = ({ key }: Caller): string => (key?.sites ? ` ${key.sites.toSorted((one, other) => one - other)}` : '');

const sealContext = ({ row: { pk } }: Call): string => `idempotency:${pk}`;

type Claimed = { attempt: string; leaseUntil: number; made: number | undefined };

/** Claims the key for this attempt, or returns the first answer. */
const claimKey = async (call: Call): Promise<Claimed | { answer: unknown }> => {
  const { ring, content, lease } = call;
  const now = nowMilliseconds();
  const fresh: KeptCall = {
    content: digestContent(ring, content),
    attempt: randomText(20),
    leaseUntil: now + lease,
    ttl: Math.floor(now / 1000) + keptSeconds,
  };
  const before = await putUnless(call, fresh, {
    ConditionExpression: 'attribute_not_exists(pk) OR #ttl <= :now',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':now': Math.floor(now / 1000) },
  });
  if (!before || before.attempt === fresh.attempt) return { ...fresh, made: undefined };
  const isSame = isDigestOf(ring, before.content, content);
  const { answer, made, leaseUntil } = before;
  // Nothing was created under the key and no attempt holds it: it is free for another body.
  const isFree = answer === undefined && made === undefined && leaseUntil <= now;
  if (!isSame && !isFree) throw keyReused();
  if (answer !== undefined) return { answer: JSON.parse(open(ring, sealContext(call), answer)) };
  if (leaseUntil > now) throw keyInUse(leaseUntil, now);
  const taken = { ...fresh, made };
  const other = await putUnless(call, taken, {
    ConditionExpression: '#attempt = :seen AND #lease = :lease AND attribute_not_exists(#answer)',
    ExpressionAttributeNames: { '#attempt': 'attempt', '#lease': 'leaseUntil', '#answer': 'answer' },
    ExpressionAttributeValues: { ':seen': before.attempt, ':lease': leaseUntil },
  });
  if (other && other.attempt !== fresh.attempt) throw keyInUse(other.leaseUntil, now);
  return taken;
};

/** Writes the row, or returns the one that did not let it. */
const putUnless = async (
  { row }: Call,
  kept: KeptCall,
  condition: NonNullable<Parameters<typeof putItem>[1]>,
): Promise<KeptCall | undefined> => {
  try {
    await putItem(toCallItem(row, kept), condition);
    return undefined;
  } catch (error) {
    const before = error instanceof ConditionFailedError ? fromCallItem(error.item, nowMilliseconds()) : undefined;
    if (!before) throw error;
    return before;
  }
};

const toKeyClaim = ({ row }: Call, { attempt, leaseUntil, made }: Claimed): KeyClaim => ({
  made,
  write: (number) => ({
    Update: {
      Key: row,
      UpdateExpression: 'SET #made = :made',
      ConditionExpression: '#attempt = :attempt',
      ExpressionAttributeNames: { '#made': 'made', '#attempt': 'attempt' },
      ExpressionAttributeValues: { ':made': number, ':attempt': attempt },
    },
  }),
  overtaken: () => keyInUse(leaseUntil, nowMilliseconds()),
});

/**
 * Ends an attempt: with an answer, which is kept; without one the key is released. If this cannot be written, the caller still gets the
 * reply: a repetition finds what was made once the lease is over.
 */
const settleKey = async ({ row }: Call, { attempt }: Claimed, { answer }: { answer?: string }): Promise<void> => {
  const isDone = answer !== undefined;
  await updateItem({
    Key: row,
    UpdateExpression: isDone ? 'SET #lease = :over, #answer = :answer' : 'SET #lease = :over',
    ConditionExpression: '#attempt = :attempt',
    ExpressionAttributeNames: { '#lease': 'leaseUntil', '#attempt': 'attempt', ...(isDone && { '#answer': 'answer' }) },
    ExpressionAttributeValues: { ':over': 0, ':attempt': attempt, ...(isDone && { ':answer': answer }) },
  }).catch((error: unknown) => log('warn', 'idempotency_key_not_settled', { error: describeError(error) }));
};
