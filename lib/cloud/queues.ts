import { Duration } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { QueueName } from '#core/platform/operation/grants.ts';
import { listQueues, maxReceipts, type Worker } from '#core/platform/operation/worker.ts';
import { type Names, pascal } from './names.ts';

export type ServiceQueue = { queue: Queue; deadLetters: Queue };
export type ServiceQueues = ReadonlyMap<QueueName, ServiceQueue>;

/** The queue that a declaration names. */
export const findQueue = (queues: ServiceQueues, name: QueueName): ServiceQueue => {
  const queue = queues.get(name);
  if (!queue) throw new Error(`There is no queue ${name}: no worker reads it`);
  return queue;
};

/**
 * The queues between the functions, each with its dead letters. They are standard queues; a message's group makes the
 * delivery queue fair between sites.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues.html
 */
export const createQueues = (scope: Construct, names: Names, key: IKey, workers: readonly Worker[]): ServiceQueues => {
  const create = (name: QueueName): ServiceQueue => {
    const deadLetters = createDeadLetters(scope, names, key, name);
    const queue = new Queue(scope, `${pascal(name)}Queue`, {
      ...common(names, key, name),
      visibilityTimeout: pickVisibility(name, workers),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: maxReceipts },
    });
    return { queue, deadLetters };
  };
  return new Map(listQueues(workers).map((name) => [name, create(name)]));
};

/** Creates a queue that keeps what could not be done until an operator checks it: 14 days, the longest there is. */
export const createDeadLetters = (scope: Construct, names: Names, key: IKey, name: string): Queue =>
  new Queue(scope, `${pascal(name)}DeadLetters`, {
    ...common(names, key, `${name}-dead-letters`),
    retentionPeriod: Duration.days(14),
  });

const common = (names: Names, key: IKey, name: string) => ({
  queueName: names.of(name),
  encryption: QueueEncryption.KMS,
  encryptionMasterKey: key,
  dataKeyReuse: Duration.hours(1),
  enforceSSL: true,
});

/**
 * Returns six times the time-out of the queue's function. A message must not return before the function is surely over; and messages that
 * Lambda's pollers have received while the function may not run return once in each of these periods, and have only five receipts.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
 */
const pickVisibility = (name: QueueName, workers: readonly Worker[]): Duration => {
  const timeouts = workers.flatMap(({ on, timeoutSeconds }) =>
    'queue' in on && on.queue === name ? timeoutSeconds : [],
  );
  return Duration.seconds(6 * Math.max(20, ...timeouts));
};
