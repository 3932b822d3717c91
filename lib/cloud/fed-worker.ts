import type { Alias, IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Worker } from '#core/platform/operation/worker.ts';

/** A worker with the function that runs it, the alias that feeds it, and where the records go that it could not process. */
export type Hop = { worker: Worker; handler: IFunction; live: Alias; failures?: Queue };
