import type { SettingName } from './environment.ts';
import type { Grants, QueueName } from './grants.ts';

/**
 * A function that no caller reaches: it is fed by the table's stream or by a queue, or the gateway asks it who calls.
 * Every queue has a dead-letter queue and partial batch failures; the stack, the local stack and the tests read this.
 */
export type Worker = {
  area: string;
  name: string;
  summary: string;
  on: /** `maximumConcurrency`: how often it runs at a time, 2 to 1,000; by default what lib/cloud/event-sources.ts says. */
    | {
        queue: QueueName;
        batchSize: number;
        /** How long a batch is waited for; SQS wants that where a batch has more than ten messages. */
        batchingWindowSeconds?: number;
        maximumConcurrency?: number;
      }
    /** `entities`: only records of items whose `entity` is one of these reach it. */
    | {
        stream: true;
        entities: readonly string[];
        batchSize: number;
        /** How long a batch is waited for: what changes twice meanwhile is handled once. */
        batchingWindowSeconds?: number;
        /** Tried until it is done or a day old, because no later run could make up for it. */
        isNeverGivenUp?: true;
      }
    | { authorizer: true };
  timeoutSeconds: number;
  memoryMegabytes: number;
  grants: Grants;
  /** Environment it needs besides what its grants bring. */
  variables?: readonly SettingName[];
};

/** How often a queue's message comes before it is a dead letter. */
export const mostReceipts = 5;

/** Not a failure: a message with nothing to do yet, to be redelivered. Logs tell the two apart. */
export class RetryLater extends Error {
  override readonly name: string = 'ComeAgain';
}

/** Declares one background function, once. */
export const defineWorker = <const W extends Worker>(worker: W): W => worker;
