import { ArnFormat, Aws, Fn, Stack } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  ApiDefinition,
  EndpointType,
  LogGroupLogDestination,
  MethodLoggingLevel,
  SpecRestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { PolicyDocument, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Operation } from '../../functions/core/operation.ts';
import { apiDefinition } from './api-definition.ts';
import type { AreaStack } from './area-stack.ts';
import { createLogGroup } from './log-groups.ts';
import { allow, type Resources } from './policy.ts';

export type ApiProps = {
  operations: readonly Operation[];
  /** Where their functions are. */
  areas: readonly AreaStack[];
  authorizer: IFunction;
  resources: Resources;
};

/** The one gateway, made from a definition: however many routes there are, it stays one resource. */
export const createApi = (scope: Construct, { operations, areas, authorizer, resources }: ApiProps): SpecRestApi => {
  const { names, settings, key } = resources;
  const operationArn = (functionName: string) =>
    Stack.of(scope).formatArn({
      service: 'lambda',
      resource: 'function',
      resourceName: functionName,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
  const definition = apiDefinition(operations, {
    title: names.prefix,
    uriOf: (operation) => invocationUri(operationArn(names.functionOf(operation))),
    authorizerUri: invocationUri(authorizer.functionArn),
    invokeRoleArn: createInvokeRole(scope, [operationArn(names.functionOf(everyOperation)), authorizer.functionArn])
      .roleArn,
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
        createLogGroup(scope, 'AccessLogs', `/aws/apigateway/${names.prefix}`, key),
      ),
      accessLogFormat: accessLogFormat(),
    },
  });
  // The gateway would make this group itself, unencrypted and kept for ever.
  const logs = createLogGroup(scope, 'ExecutionLogs', executionLogName(api.restApiId, settings.stage), key);
  api.deploymentStage.node.addDependency(logs);
  // The definition knows its functions by name only: it goes live once they are all there.
  api.latestDeployment?.node.addDependency(...areas);
  return api;
};

/** A pattern for the names of all operations' functions, and of no worker's. */
const everyOperation = { area: '*', name: '*' };

const invocationUri = (functionArn: string): string =>
  `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/2015-03-31/functions/${functionArn}/invocations`;

const executionLogName = (apiId: string, stage: string) =>
  Fn.join('', ['API-Gateway-Execution-Logs_', apiId, '/', stage]);

/**
 * One role for all integrations, so that no function needs a permission of its own. It knows the operations by the pattern of
 * their names: a list would lose a function that is renamed while the gateway that is still deployed calls it.
 */
const createInvokeRole = (scope: Construct, functionArns: readonly string[]): Role =>
  new Role(scope, 'GatewayRole', {
    assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    inlinePolicies: { invoke: new PolicyDocument({ statements: allow(['lambda:InvokeFunction'], functionArns) }) },
  });

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
