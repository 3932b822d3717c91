import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyDocument, type PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  type Alias,
  Architecture,
  Code,
  Function as LambdaFunction,
  RecursiveLoop,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Operation } from '#core/platform/operation/operation.ts';
import type { Worker } from '#core/platform/operation/worker.ts';
import { partitionsFor } from '../build/partitions-of-functions.ts';
import { isEntrance } from './concurrency.ts';
import { grantsOfRole } from './kept-grants.ts';
import { createLiveAlias } from './live-alias.ts';
import { constructId } from './names.ts';
import { allow, makeEnvironment, makeStatements, type Resources } from './policy.ts';

/** A second less than the gateway waits, so that it is the function that answers. */
const apiTimeoutSeconds = 28;

/** The input for one function. `dir` has its bundle. */
export type FunctionProps = {
  declared: Operation | Worker;
  dir: string;
  resources: Resources;
  /** Where its lines go. */
  logGroup: ILogGroup;
  /** The statements that it needs in addition to its grants: to read the event source that feeds it. */
  statements?: readonly PolicyStatement[];
};

/** A function, and the alias by which it is called. */
export type DeployedFunction = { handler: LambdaFunction; live: Alias };

/**
 * A declared operation or worker: the function, its role with its policy, the version that is live and the alias that names it. Traces
 * begin at the gateway, which samples them (one a second, and five in a hundred of the rest); a worker joins existing traces, and begins
 * none.
 */
export const createFunction = (
  scope: Construct,
  { declared, dir, resources, logGroup, statements = [] }: FunctionProps,
): DeployedFunction => {
  const id = constructId(declared);
  const role = new Role(scope, `${id}Role`, {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: {
      grants: new PolicyDocument({
        statements: [
          ...allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [logGroup.logGroupArn]),
          ...allow(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], ['*']),
          ...makeStatements(scope, grantsOfRole(declared), partitionsFor(declared), resources),
          ...statements,
        ],
      }),
    },
  });
  const handler = new LambdaFunction(scope, id, {
    functionName: resources.names.functionOf(declared),
    description: declared.summary,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    handler: 'index.handler',
    code: Code.fromAsset(dir),
    // The policy above is complete; nothing in the CDK may add to it.
    role: role.withoutPolicyUpdates(),
    logGroup,
    tracing: 'on' in declared ? Tracing.PASS_THROUGH : Tracing.ACTIVE,
    memorySize: declared.memoryMegabytes ?? 256,
    timeout: Duration.seconds(declared.timeoutSeconds ?? apiTimeoutSeconds),
    environment: makeEnvironment(declared.grants, declared.variables ?? [], resources),
    ...(isEntrance(declared) &&
      resources.concurrency.reserved > 0 && {
        reservedConcurrentExecutions: resources.concurrency.reserved,
      }),
    ...(feedsItself(declared) && { recursiveLoop: RecursiveLoop.ALLOW }),
    // A version of a release that fails is deleted, or publishing the same code again would be refused.
    currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
  });
  return { handler, live: createLiveAlias(scope, declared, handler, resources) };
};

/** Lambda would mistake a function that sends messages to itself for an endless recursion, and stop it. */
const feedsItself = (declared: Operation | Worker): boolean =>
  'on' in declared && 'queue' in declared.on && (declared.grants.send ?? []).includes(declared.on.queue);
