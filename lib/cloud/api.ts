import { ArnFormat, Aws, Fn, Stack } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  ApiDefinition,
  CfnRestApi,
  EndpointAccessMode,
  EndpointType,
  LogGroupLogDestination,
  type MethodDeploymentOptions,
  MethodLoggingLevel,
  SecurityPolicy,
  SpecRestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { PolicyDocument, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Auth, Operation } from '#core/platform/operation/operation.ts';
import type { Worker } from '#core/platform/operation/worker.ts';
import { apiDefinition, listRoutes } from './api-definition.ts';
import type { AreaStack } from './area-stack.ts';
import { createLogGroup } from './log-groups.ts';
import { allow, type Resources } from './policy.ts';
import { liveAlias } from './releases.ts';

export type ApiProps = {
  operations: readonly Operation[];
  /** Where their functions are. */
  areas: readonly AreaStack[];
  authorizer: { handler: { functionArn: string }; worker: Worker };
  resources: Resources;
};

export type Api = { api: SpecRestApi; accessLogs: ILogGroup };

/** The one gateway, made from a definition: however many routes there are, it stays one resource. */
export const createApi = (scope: Construct, { operations, areas, authorizer, resources }: ApiProps): Api => {
  const { names, settings, key } = resources;
  const definition = apiDefinition(operations, {
    title: names.prefix,
    uriOf: (operation) => operationUri(`${names.functionOf(operation)}:${liveAlias}`),
    // Without an alias: the role of 1.0.0, under which a stage that goes back runs for minutes, allows no other.
    authorizerUri: invocationUri(authorizer.handler.functionArn),
    invokeRoleArn: createInvokeRole(scope, [
      functionArnOf(scope, names.functionOf(everyOperation)),
      functionArnOf(scope, names.functionOf(authorizer.worker)),
    ]).roleArn,
  });
  const accessLogs = createLogGroup(scope, 'AccessLogs', `/aws/apigateway/${names.prefix}`, key);
  const api = new SpecRestApi(scope, 'Api', {
    restApiName: names.prefix,
    apiDefinition: ApiDefinition.fromInline(definition),
    endpointTypes: [EndpointType.REGIONAL],
    // Or a provider's messages could avoid the domain name that asks for a certificate.
    ...(settings.mutualTlsDomainName !== undefined && { disableExecuteApiEndpoint: true }),
    cloudWatchRole: true,
    deployOptions: {
      stageName: settings.stage,
      tracingEnabled: true,
      ...methodOptions({ throttlingRateLimit: 200, throttlingBurstLimit: 400 }),
      methodOptions: Object.fromEntries(
        listRoutes(operations).flatMap(({ method, path, operation: { auth } }) => {
          const throttle = throttles[auth];
          const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
          return throttle ? methods.map((one) => [`${path}/${one}`, methodOptions(throttle)]) : [];
        }),
      ),
      accessLogDestination: new LogGroupLogDestination(accessLogs),
      accessLogFormat: accessLogFormat(),
    },
  });
  requireTls(api);
  // The gateway would make this group itself, unencrypted and kept forever.
  const logs = createLogGroup(scope, 'ExecutionLogs', executionLogName(api.restApiId, settings.stage), key);
  api.deploymentStage.node.addDependency(logs);
  // The definition knows its functions by name only: it goes live once they are all there.
  api.latestDeployment?.node.addDependency(...areas);
  return { api, accessLogs };
};

type Throttle = { throttlingRateLimit: number; throttlingBurstLimit: number };

/**
 * Per second, for each method by its kind of caller; each other method has the stage's. Calls without a token, which are open to all, have the least.
 */
const throttles: Readonly<Partial<Record<Auth, Throttle>>> = {
  provider: { throttlingRateLimit: 1000, throttlingBurstLimit: 2000 },
  public: { throttlingRateLimit: 50, throttlingBurstLimit: 100 },
  // Payers of all merchants: a page asks once in three seconds while its payer is at the issuer.
  client: { throttlingRateLimit: 200, throttlingBurstLimit: 400 },
};

/** The settings of a method replace those of the stage entirely, so each has all of them. */
const methodOptions = (throttle: Throttle): MethodDeploymentOptions => ({
  ...throttle,
  // Metrics of each method would cost 0.30 USD a month for each of some thousand, and no alarm reads them; those of the stage are free.
  metricsEnabled: false,
  loggingLevel: MethodLoggingLevel.ERROR,
  // It would write bodies, and with them card and customer data, into the log.
  dataTraceEnabled: false,
});

/**
 * TLS 1.2 with forward secrecy, or 1.3; and only under the name that the certificate was shown for.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies.html
 */
const requireTls = (api: SpecRestApi): void => {
  const { defaultChild } = api.node;
  if (!(defaultChild instanceof CfnRestApi)) throw new Error('The gateway is made of something unknown');
  defaultChild.securityPolicy = SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09;
  defaultChild.endpointAccessMode = EndpointAccessMode.STRICT;
};

const functionArnOf = (scope: Construct, functionName: string): string =>
  Stack.of(scope).formatArn({
    service: 'lambda',
    resource: 'function',
    resourceName: functionName,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });

/** A pattern for the names of all operations' functions, and of no worker's. */
const everyOperation = { area: '*', name: '*' };

/** The same of a function that is known by its name: one text, as there are hundreds of them in the template. */
const operationUri = (functionName: string): string =>
  Fn.sub(
    `arn:\${AWS::Partition}:apigateway:\${AWS::Region}:lambda:path/2015-03-31/functions/` +
      `arn:\${AWS::Partition}:lambda:\${AWS::Region}:\${AWS::AccountId}:function:${functionName}/invocations`,
  );

const invocationUri = (functionArn: string): string =>
  `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/2015-03-31/functions/${functionArn}/invocations`;

const executionLogName = (apiId: string, stage: string) =>
  Fn.join('', ['API-Gateway-Execution-Logs_', apiId, '/', stage]);

/**
 * One role for all integrations, so that no function needs a permission of its own. CloudFormation updates it first and the gateway's stage last, and
 * the reverse on the way back. So it allows whatever this release or the ones around it call: every operation by the pattern of its
 * name, with an alias or without one.
 */
const createInvokeRole = (scope: Construct, functionArns: readonly string[]): Role =>
  new Role(scope, 'GatewayRole', {
    assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    inlinePolicies: {
      invoke: new PolicyDocument({
        statements: allow(
          ['lambda:InvokeFunction'],
          functionArns.flatMap((arn) => [arn, `${arn}:*`]),
        ),
      }),
    },
  });

/** Which route, by its pattern, and never the query or a header: they may carry an rcode. */
const accessLogFormat = () =>
  AccessLogFormat.custom(
    JSON.stringify({
      requestId: '$context.requestId',
      time: '$context.requestTimeEpoch',
      ip: '$context.identity.sourceIp',
      method: '$context.httpMethod',
      stage: '$context.stage',
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
