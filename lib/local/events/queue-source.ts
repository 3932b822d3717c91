import { setTimeout as wait } from 'node:timers/promises';
import { type Message, md5Of, type QueueDefinition, type Queues, systemAttributes } from '../aws/queues.ts';
import type { FunctionDefinition, FunctionRunner } from '../functions/function-runner.ts';
import { region } from '../template/resolver.ts';
import { failedIn } from './batch-failures.ts';

/** A queue that feeds a function. */
export type QueueMapping = {
  queue: QueueDefinition;
  function: FunctionDefinition;
  batchSize: number;
  maximumConcurrency: number;
  reportsFailures: boolean;
};

export type EventSource = {
  /** Takes up what has come since; to be called when the clock has moved. */
  wake(): void;
  /** Nothing is being worked on and nothing that could be is waiting. */
  isQuiet(): boolean;
  /**
   * Settles when what was there at the call has been worked off, whatever has come since. `newest`: the number of the newest
   * message that was there.
   */
  whenPassed(newest?: number): Promise<void>;
  /** Takes up nothing more; settles when what runs has ended. */
  stop(): Promise<void>;
};

export type QueueSource = EventSource & {
  functionName: string;
  /** Feeds nothing until the returned function is called; settles when what runs has ended. Who waits for the stack does not wait for it. */
  hold(): Promise<() => void>;
};

/**
 * Feeds a function from a queue: batches, several at a time, what succeeded deleted, what failed left to become visible
 * again after the queue's timeout.
 */
export const startQueueSource = (mapping: QueueMapping, queues: Queues, runner: FunctionRunner): QueueSource => {
  const running = new Set<Promise<void>>();
  let holders = 0;
  let isStopped = false;

  const work = async (messages: readonly Message[]): Promise<void> => {
    const invocation = await runner.invoke(mapping.function, { Records: messages.map((one) => record(one, mapping)) });
    const identifiers = messages.map(({ messageId }) => messageId);
    const failed = failedIn(invocation, mapping.reportsFailures, identifiers);
    if (failed === 'all') return;
    for (const { messageId, receiptHandle } of messages) {
      if (!failed.has(messageId)) queues.remove(mapping.queue, receiptHandle);
    }
  };
  const wake = (): void => {
    while (!isStopped && holders === 0 && running.size < mapping.maximumConcurrency) {
      const messages = queues.receive(mapping.queue, mapping.batchSize);
      if (messages.length === 0) return;
      const batch = work(messages).finally(() => {
        running.delete(batch);
        wake();
      });
      running.add(batch);
    }
  };
  const onArrival = (name: string): void => {
    // Not at once: what is sent in one call should come in one batch.
    if (name === mapping.queue.name) setImmediate(wake);
  };
  queues.arrivals.on('arrival', onArrival);
  return {
    wake,
    functionName: mapping.function.name,
    hold: async () => {
      holders += 1;
      await Promise.all(running);
      return () => {
        holders -= 1;
        wake();
      };
    },
    isQuiet: () => running.size === 0 && (holders > 0 || !queues.hasVisible(mapping.queue)),
    whenPassed: async (newest = Number.MAX_SAFE_INTEGER) => {
      while (!isStopped && holders === 0 && queues.hasVisible(mapping.queue, newest)) {
        wake();
        // There is no first of none: the waiting messages were for the dead-letter queue.
        await (running.size > 0 ? Promise.race(running) : wait(1));
      }
      await Promise.all(running);
    },
    stop: async () => {
      isStopped = true;
      queues.arrivals.off('arrival', onArrival);
      await Promise.all(running);
    },
  };
};

/** @see https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html#example-standard-queue-message-event */
const record = (message: Message, { queue }: QueueMapping) => ({
  messageId: message.messageId,
  receiptHandle: message.receiptHandle,
  body: message.body,
  attributes: systemAttributes(message),
  messageAttributes: message.attributes,
  md5OfBody: md5Of(message.body),
  eventSource: 'aws:sqs',
  eventSourceARN: queue.arn,
  awsRegion: region,
});
