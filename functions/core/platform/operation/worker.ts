import type { SettingName } from './environment.ts';
import type { Grants, QueueName } from './grants.ts';
import { type NamesOfKey, toNames } from './key.ts';

/**
 * A function that callers cannot reach: the table's stream, a queue or the access log feeds it, or the gateway asks it who is calling.
 * Every queue has a dead-letter queue and partial batch failures; the stack, the local stack and the tests read this.
 */
export type Worker = {
  area: string;
  name: string;
  summary: string;
  on: /** `maximumConcurrency`: how many of it run at once, 2 to 1,000; by default what lib/cloud/concurrency.ts says; less where the account is small. */
    | {
        queue: QueueName;
        batchSize: number;
        /** The wait for a full batch; SQS requires a wait for batches of more than ten messages. */
        batchingWindowSeconds?: number;
        maximumConcurrency?: number;
      }
    /** `entities`: only records of items whose `entity` is one of these reach it. */
    | {
        stream: true;
        entities: readonly string[];
        /** Of these, only records of new items. */
        newOnly?: readonly string[];
        /** Only records of items that are, or were, in the list of all items. */
        listedOnly?: readonly string[];
        /** Records of removed items, too. */
        removals?: true;
        batchSize: number;
        /** The wait for a full batch: an item that changes twice in that time is handled once. */
        batchingWindowSeconds?: number;
        /** Retried until it is done or a day old, because no later run could make up for it. */
        isNeverGivenUp?: true;
      }
    /** Lines of the gateway's access log about callers whose subject fits this pattern; best effort, some minutes of lines at once. */
    | { accessLog: string }
    | { authorizer: true };
  timeoutSeconds: number;
  memoryMegabytes: number;
  grants: Grants;
  /** Files deployed with the function's code: their names there, and their sources. */
  assets?: Readonly<Record<string, string>>;
  /** Environment variables it needs in addition to those from its grants. */
  variables?: readonly SettingName[];
};

/** The number of receipts after which a message becomes a dead letter. */
export const maxReceipts = 5;

/** Not a failure: a message with nothing to do yet, to be redelivered. Logs tell the two apart. */
export class RetryLaterError extends Error {
  override readonly name: string = 'RetryLaterError';
}

/** Declares one background function, once. `key`: `area/name`. */
export const defineWorker = <const W extends Omit<Worker, 'area' | 'name'>>(
  key: string,
  worker: W,
): W & NamesOfKey => ({
  ...toNames(key),
  ...worker,
});

/** Every queue: those that a worker reads. */
export const listQueues = (workers: readonly Worker[]): QueueName[] => [
  ...new Set(workers.flatMap(({ on }) => ('queue' in on ? [on.queue] : []))),
];
