import { Aws, Duration } from 'aws-cdk-lib';
import { type PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  type Alias,
  CfnEventSourceMapping,
  EventSourceMapping,
  type EventSourceMappingProps,
  FilterCriteria,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { CfnSubscriptionFilter, FilterPattern, type ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Worker } from '#core/platform/operation/worker.ts';
import type { Hop } from './fed-worker.ts';
import { constructId } from './names.ts';
import type { DeployedFunction } from './operation-function.ts';
import { allow, keyStatement, type Resources } from './policy.ts';
import { createDeadLetters, findQueue } from './queues.ts';
import { streamFilters } from './stream-filters.ts';

/** The number of tries of a batch of the stream, halved each time, before what is left of it becomes a dead letter. */
const streamRetryAttempts = 10;

/** The source of a worker's events. */
export type Source = {
  /** The permissions that its function needs to be fed. */
  statements: readonly PolicyStatement[];
  /** Where records of the stream go that it could not process; a queue has its own dead letters. */
  failures?: Queue;
  attach: (made: DeployedFunction) => void;
};

/** The event source of a worker; none for the authorizer, which the gateway calls, and what the access log feeds: see below. */
export const createSource = (scope: Construct, worker: Worker, resources: Resources): Source => {
  if ('queue' in worker.on) return queueSource(scope, worker, worker.on, resources);
  if ('stream' in worker.on) return streamSource(scope, worker, worker.on, resources);
  return { statements: [], attach: () => undefined };
};

type On<K extends string> = Extract<Worker['on'], Record<K, unknown>>;

const queueSource = (scope: Construct, worker: Worker, on: On<'queue'>, resources: Resources): Source => {
  const { queues, key, concurrency } = resources;
  const { queueArn } = findQueue(queues, on.queue).queue;
  const actions = ['ReceiveMessage', 'DeleteMessage', 'ChangeMessageVisibility', 'GetQueueAttributes'];
  return {
    statements: [
      ...allow(
        actions.map((action) => `sqs:${action}`),
        [queueArn],
      ),
      ...keyStatement(key, ['kms:Decrypt'], ['sqs']),
    ],
    attach: ({ handler, live }) =>
      createMapping(scope, worker, live, {
        target: handler,
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
    attach: ({ handler, live }) =>
      createMapping(scope, worker, live, {
        target: handler,
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

/** Feeds workers with lines of the access log. Each group takes two such filters. */
export const feedFromAccessLog = (scope: Construct, hops: readonly Hop[], logGroup: ILogGroup): void => {
  for (const { worker, live } of hops) {
    if (!('accessLog' in worker.on)) continue;
    live.addPermission('AccessLog', {
      ...{ principal: new ServicePrincipal('logs.amazonaws.com'), sourceAccount: Aws.ACCOUNT_ID },
      sourceArn: logGroup.logGroupArn,
    });
    const source = new CfnSubscriptionFilter(scope, `${constructId(worker)}Source`, {
      ...{ logGroupName: logGroup.logGroupName, destinationArn: live.functionArn },
      filterPattern: FilterPattern.stringValue('$.subject', '=', worker.on.accessLog).logPatternString,
    });
    // With its permission: CloudWatch Logs checks it when the filter is created.
    source.node.addDependency(live);
  }
};

/** Event sources invoke the alias, so that a release moves their traffic too. */
const createMapping = (scope: Construct, worker: Worker, live: Alias, props: EventSourceMappingProps): void => {
  const { defaultChild } = new EventSourceMapping(scope, `${constructId(worker)}Source`, props).node;
  if (!(defaultChild instanceof CfnEventSourceMapping))
    throw new Error('The event source is made of something unknown');
  defaultChild.functionName = live.functionArn;
};
