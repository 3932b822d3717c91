import { Aws, Fn, RemovalPolicy } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  ApiDefinition,
  EndpointType,
  LogGroupLogDestination,
  MethodLoggingLevel,
  SpecRestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Operation } from '../../functions/core/operation.ts';
import { bundleName } from '../build/bundle.ts';
import { apiDefinition } from './api-definition.ts';
import { logRetention } from './operation-function.ts';
import type { Resources } from './policy.ts';

export type ApiProps = {
  operations: readonly Operation[];
  /** By `<area>/<name>`. */
  functions: ReadonlyMap<string, IFunction>;
  authorizer: IFunction;
  resources: Resources;
};

/** A managed policy holds 6,144 characters: about 60 of our functions. */
const functionsPerPolicy = 50;

/** The one gateway, made from a definition: however many routes there are, it stays one resource. */
export const createApi = (
  scope: Construct,
  { operations, functions, authorizer, resources }: ApiProps,
): SpecRestApi => {
  const { names, settings } = resources;
  const functionOf = (operation: Operation): IFunction => {
    const found = functions.get(bundleName(operation));
    if (!found) throw new Error(`There is no function for ${bundleName(operation)}`);
    return found;
  };
  const invoked = [...operations.map(functionOf), authorizer];
  const definition = apiDefinition(operations, {
    title: names.prefix,
    uriOf: (operation) => invocationUri(functionOf(operation)),
    authorizerUri: invocationUri(authorizer),
    invokeRoleArn: createInvokeRole(scope, invoked).roleArn,
  });
  const api = new SpecRestApi(scope, 'Api', {
    restApiName: names.prefix,
    apiDefinition: ApiDefinition.fromInline(definition),
    endpointTypes: [EndpointType.REGIONAL],
    cloudWatchRole: true,
    deployOptions: {
      stageName: settings.stage,
      throttlingRateLimit: 200,
      throttlingBurstLimit: 400,
      tracingEnabled: true,
      metricsEnabled: true,
      loggingLevel: MethodLoggingLevel.ERROR,
      // It would write bodies, and with them card and customer data, into the log.
      dataTraceEnabled: false,
      accessLogDestination: new LogGroupLogDestination(
        createLogGroup(scope, 'AccessLogs', `/aws/apigateway/${names.prefix}`, resources),
      ),
      accessLogFormat: accessLogFormat(),
    },
  });
  // The gateway would make this group itself, unencrypted and kept for ever.
  const logs = createLogGroup(scope, 'ExecutionLogs', executionLogName(api.restApiId, settings.stage), resources);
  api.deploymentStage.node.addDependency(logs);
  return api;
};

const invocationUri = (handler: IFunction): string =>
  `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/2015-03-31/functions/${handler.functionArn}/invocations`;

const executionLogName = (apiId: string, stage: string) =>
  Fn.join('', ['API-Gateway-Execution-Logs_', apiId, '/', stage]);

const createLogGroup = (scope: Construct, id: string, logGroupName: string, { key }: Resources): LogGroup =>
  new LogGroup(scope, id, {
    logGroupName,
    retention: logRetention,
    encryptionKey: key,
    removalPolicy: RemovalPolicy.DESTROY,
  });

/** One role for all integrations, so that no function needs a permission of its own. It names every function. */
const createInvokeRole = (scope: Construct, functions: readonly IFunction[]): Role => {
  const role = new Role(scope, 'InvokeRole', { assumedBy: new ServicePrincipal('apigateway.amazonaws.com') });
  for (let index = 0; index < functions.length; index += functionsPerPolicy) {
    const part = functions.slice(index, index + functionsPerPolicy);
    new ManagedPolicy(scope, `InvokePolicy${index / functionsPerPolicy + 1}`, {
      roles: [role],
      statements: [
        new PolicyStatement({
          actions: ['lambda:InvokeFunction'],
          resources: part.map(({ functionArn }) => functionArn),
        }),
      ],
    });
  }
  return role;
};

/** Which route, by its pattern, and never the query or a header: they may carry an rcode. */
const accessLogFormat = () =>
  AccessLogFormat.custom(
    JSON.stringify({
      requestId: '$context.requestId',
      time: '$context.requestTimeEpoch',
      ip: '$context.identity.sourceIp',
      method: '$context.httpMethod',
      route: '$context.resourcePath',
      status: '$context.status',
      responseLength: '$context.responseLength',
      milliseconds: '$context.responseLatency',
      integrationMilliseconds: '$context.integrationLatency',
      subject: '$context.authorizer.subject',
      errorType: '$context.error.responseType',
      firewall: '$context.waf.status',
      trace: '$context.xrayTraceId',
    }),
  );
