import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Worker } from '../../functions/core/worker.ts';

/** A worker with what runs it, and where its records go that it could not do. */
export type Hop = { worker: Worker; handler: IFunction; failures?: Queue };
