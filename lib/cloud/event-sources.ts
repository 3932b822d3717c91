import { Duration } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterCriteria, type IFunction, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Worker } from '#core/platform/operation/worker.ts';
import { idOf } from './names.ts';
import { allow, keyStatement, type Resources } from './policy.ts';
import { createDeadLetters, queueOf } from './queues.ts';
import { streamFilters } from './stream-filters.ts';

/** How often a batch of the stream is tried, halved each time, before what is left of it becomes a dead letter. */
const streamRetryAttempts = 10;

/** What feeds a worker. */
export type Source = {
  /** The permissions that its function needs to be fed. */
  statements: readonly PolicyStatement[];
  /** Where records of the stream go that it could not process; a queue has its own dead letters. */
  failures?: Queue;
  attach: (handler: IFunction) => void;
};

/** The event source of a worker; none for the authorizer, which the gateway calls. */
export const createSource = (scope: Construct, worker: Worker, resources: Resources): Source => {
  if ('queue' in worker.on) return queueSource(scope, worker, worker.on, resources);
  if ('stream' in worker.on) return streamSource(scope, worker, worker.on, resources);
  return { statements: [], attach: () => undefined };
};

type On<K extends string> = Extract<Worker['on'], Record<K, unknown>>;

const queueSource = (scope: Construct, worker: Worker, on: On<'queue'>, resources: Resources): Source => {
  const { queues, key, concurrency } = resources;
  const { queueArn } = queueOf(queues, on.queue).queue;
  const actions = ['ReceiveMessage', 'DeleteMessage', 'ChangeMessageVisibility', 'GetQueueAttributes'];
  return {
    statements: [
      ...allow(
        actions.map((action) => `sqs:${action}`),
        [queueArn],
      ),
      ...keyStatement(key, ['kms:Decrypt'], ['sqs']),
    ],
    attach: (target) =>
      new EventSourceMapping(scope, `${idOf(worker)}Source`, {
        target,
        eventSourceArn: queueArn,
        batchSize: on.batchSize,
        reportBatchItemFailures: true,
        ...(on.batchingWindowSeconds !== undefined && {
          maxBatchingWindow: Duration.seconds(on.batchingWindowSeconds),
        }),
        maxConcurrency: concurrency.maximumOf(worker),
      }),
  };
};

const streamSource = (scope: Construct, worker: Worker, on: On<'stream'>, resources: Resources): Source => {
  const { table, key, names } = resources;
  const failures = createDeadLetters(scope, names, key, worker.name);
  return {
    failures,
    statements: [
      ...allow(['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'], [table.streamArn]),
      // This action does not support resources.
      ...allow(['dynamodb:ListStreams'], ['*']),
      ...allow(['sqs:SendMessage'], [failures.queueArn]),
      ...keyStatement(key, ['kms:Decrypt'], ['dynamodb', 'sqs']),
      ...keyStatement(key, ['kms:GenerateDataKey'], ['sqs']),
    ],
    attach: (target) =>
      new EventSourceMapping(scope, `${idOf(worker)}Source`, {
        target,
        eventSourceArn: table.streamArn,
        startingPosition: StartingPosition.TRIM_HORIZON,
        batchSize: on.batchSize,
        bisectBatchOnError: true,
        ...(!on.isNeverGivenUp && { retryAttempts: streamRetryAttempts }),
        ...(on.batchingWindowSeconds !== undefined && {
          maxBatchingWindow: Duration.seconds(on.batchingWindowSeconds),
        }),
        reportBatchItemFailures: true,
        onFailure: new SqsDlq(failures),
        filters: streamFilters(on).map((filter) => FilterCriteria.filter(filter)),
      }),
  };
};
