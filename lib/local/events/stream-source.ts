import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { FunctionDefinition, FunctionRunner, Invocation } from '../functions/function-runner.ts';
import { errorText } from '../user-error.ts';
import { failedIn, untakenRecords } from './batch-failures.ts';
import { fits } from './pattern.ts';
import type { EventSource } from './queue-source.ts';
import type { Change, Stream } from './stream-reader.ts';

/** A table's stream that feeds a function. */
export type StreamMapping = {
  id: string;
  tableName: string;
  function: FunctionDefinition;
  batchSize: number;
  /** Any of them lets a change through; none at all lets all through. */
  filters: readonly unknown[];
  bisects: boolean;
  reportsFailures: boolean;
  /** The number of times a batch is tried again; undefined: until it succeeds. */
  maximumRetryAttempts: number | undefined;
  /** Called with a batch that was abandoned. */
  onFailure: ((text: string) => void) | undefined;
};

export type StreamSource = EventSource & {
  /**
   * When the first change was written that the function is at, in milliseconds of the system's clock, of which streams tell the
   * seconds; undefined if there is none, or if it keeps failing: that is not a matter of time.
   */
  oldest(): number | undefined;
  /** Works on until a reading that began after this call finds nothing. */
  catchUp(): Promise<void>;
};

type Parts = {
  stream: Stream;
  runner: Pick<FunctionRunner, 'invoke'>;
  clock: Pick<Clock, 'now'>;
  save: (sequenceNumber: string) => void;
  /** Where to read on from after a failure of the stream itself. */
  readPlace: () => string | undefined;
  report: (sentence: string) => void;
};

const pollMilliseconds = 250;

/**
 * Feeds a function from a stream, one batch at a time and in order. The place in the stream is saved when a batch is done
 * with, so that a batch cut off by the end of the process is read again.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one loop over its own place in the stream, which all its steps change.
export const startStreamSource = (mapping: StreamMapping, parts: Parts): StreamSource => {
  const { stream } = parts;
  let isStopped = false;
  let reading: Promise<void> | undefined;
  let isWanted = false;
  /** The waiters for what was in the stream at a moment, in milliseconds of the system's clock. */
  const waiting = new Set<{ since: number; tell: () => void }>();

  /** Up to where the stream was read, and what of that the function is still to get. */
  let position = parts.readPlace();
  let pending: readonly Change[] = [];
  let hasFailed = false;
  const onFailed = () => {
    hasFailed = true;
  };

  /** Reads until there is a whole batch, or nothing more. Returns up to when it has what was written; undefined if nothing came. */
  const fill = async (): Promise<number | undefined> => {
    let upTo: number | undefined;
    while (pending.length < mapping.batchSize) {
      const page = await stream.after(position);
      if (!page) break;
      position = page.end;
      pending = [...pending, ...page.changes.filter((change) => isWantedBy(mapping, change))];
      upTo = page.upTo;
      if (!page.isFull) break;
    }
    return upTo;
  };
  const readOn = async (): Promise<void> => {
    let upTo: number | undefined;
    while (!isStopped) {
      isWanted = false;
      const read = await fill();
      if (read === undefined && pending.length === 0) return;
      upTo = read ?? upTo;
      const batch = pending.slice(0, mapping.batchSize);
      const last = batch.at(-1);
      await deliver(mapping, { ...parts, onFailed }, batch, () => isStopped);
      if (isStopped) return;
      hasFailed = false;
      pending = pending.slice(batch.length);
      const done = pending.length > 0 && last ? sequenceNumberOf(last) : position;
      if (done !== undefined) parts.save(done);
      if (pending.length > 0 || upTo === undefined) continue;
      for (const { since, tell } of waiting) if (since <= upTo) tell();
    }
  };
  const wake = (): Promise<void> => {
    isWanted = true;
    reading ??= readOn()
      .catch((error: unknown) => {
        // The next poll tries again from the place that was saved.
        position = parts.readPlace();
        pending = [];
        if (!isStopped) parts.report(`The stream of ${mapping.tableName} cannot be read: ${errorText(error)}`);
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  const catchUp = async (): Promise<void> => {
    do await wake();
    while (isWanted && !isStopped);
  };
  // One that is under way is not asked to go on: if it takes longer than this, it would never come to its end.
  const timer = setInterval(() => reading ?? wake(), pollMilliseconds);
  return {
    wake,
    isQuiet: () => reading === undefined,
    oldest: () => {
      const [first] = hasFailed ? [] : pending;
      return first && first.dynamodb.ApproximateCreationDateTime * 1000;
    },
    catchUp,
    whenPassed: async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const one = { since: Date.now(), tell: resolve };
      waiting.add(one);
      await Promise.race([promise, catchUp()]);
      waiting.delete(one);
    },
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await reading;
    },
  };
};

const isWantedBy = ({ filters }: StreamMapping, change: Change): boolean =>
  filters.length === 0 || filters.some((filter) => fits(filter, change));

/** Brings changes to the function until all are taken or given up. */
const deliver = async (
  mapping: StreamMapping,
  parts: Parts & { onFailed: () => void },
  changes: readonly Change[],
  isStopped: () => boolean,
  attempt = 0,
): Promise<void> => {
  if (changes.length === 0 || isStopped()) return;
  const invocation = await parts.runner.invoke(mapping.function, { Records: changes });
  const failed = failedIn(invocation, mapping.reportsFailures, changes.map(sequenceNumberOf));
  const rest = untakenRecords(changes, failed, sequenceNumberOf);
  const [first] = rest;
  if (!first) return;
  parts.onFailed();
  const before = changes[changes.indexOf(first) - 1];
  if (before) parts.save(sequenceNumberOf(before));
  const isAdvanced = before !== undefined;
  if (!isAdvanced && attempt >= (mapping.maximumRetryAttempts ?? Number.POSITIVE_INFINITY)) {
    return mapping.onFailure?.(failureNote(mapping, parts, rest, invocation, attempt + 1));
  }
  await wait(Math.min(1000, 50 * 2 ** attempt));
  const halves =
    mapping.bisects && rest.length > 1 ? [rest.slice(0, rest.length >> 1), rest.slice(rest.length >> 1)] : [rest];
  // Splitting a batch does not use up its attempts, as in Lambda; only what stands alone grows older.
  const nextAttempt = isAdvanced || halves.length > 1 ? attempt : attempt + 1;
  for (const half of halves) await deliver(mapping, parts, half, isStopped, nextAttempt);
};

const sequenceNumberOf = ({ dynamodb }: Change): string => dynamodb.SequenceNumber;

/** @see https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html */
const failureNote = (
  mapping: StreamMapping,
  { stream, clock }: Parts,
  changes: readonly Change[],
  invocation: Invocation,
  attempts: number,
): string =>
  JSON.stringify({
    requestContext: {
      requestId: randomUUID(),
      functionArn: mapping.function.arn,
      condition: 'RetryAttemptsExhausted',
      approximateInvokeCount: attempts,
    },
    responseContext: {
      statusCode: 200,
      executedVersion: '$LATEST',
      functionError: invocation.error ? 'Unhandled' : undefined,
    },
    version: '1.0',
    timestamp: new Date(clock.now()).toISOString(),
    DDBStreamBatchInfo: {
      shardId: stream.shardId,
      startSequenceNumber: changes[0] && sequenceNumberOf(changes[0]),
      endSequenceNumber: changes.at(-1)?.dynamodb.SequenceNumber,
      batchSize: changes.length,
      streamArn: stream.arn,
    },
  });
