import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalStack, type StackOptions, startLocalStack } from '#lib/local/stack.ts';

/** Functions by name, each the text of a CommonJS module that sets `exports.handler`. */
export type Code = Readonly<Record<string, string>>;

const pascal = (name: string): string => name.replace(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase());

const functionResource = (name: string, variables: Readonly<Record<string, unknown>>) => ({
  Type: 'AWS::Lambda::Function',
  Properties: {
    FunctionName: name,
    Handler: 'index.handler',
    Runtime: 'nodejs24.x',
    Timeout: name.startsWith('slow') ? 1 : 10,
    Code: { S3Bucket: { 'Fn::Join': ['-', ['assets', { Ref: 'AWS::AccountId' }]] }, S3Key: `${name}.zip` },
    Environment: { Variables: variables },
  },
});

const integration = (name: string) => ({
  'x-amazon-apigateway-integration': {
    type: 'aws_proxy',
    httpMethod: 'POST',
    uri: {
      'Fn::Join': [
        '',
        [
          'arn:',
          { Ref: 'AWS::Partition' },
          ':apigateway:',
          { Ref: 'AWS::Region' },
          ':lambda:path/2015-03-31/functions/',
          { 'Fn::GetAtt': [pascal(name), 'Arn'] },
          '/invocations',
        ],
      ],
    },
  },
});

const gatewayResponse = (statusCode: number | undefined, msg: string) => ({
  ...(statusCode && { statusCode }),
  responseParameters: { 'gatewayresponse.header.x-request-id': 'context.requestId' },
  responseTemplates: { 'application/json': `{"msg":"${msg}","details":$context.error.messageString}` },
});

/** The definition of a gateway: `routes` maps `POST /path` to a function's name, `secured` ones ask `authorizer`. */
const definition = (routes: Readonly<Record<string, string>>, secured: readonly string[]) => {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [route, name] of Object.entries(routes)) {
    const [method = '', path = ''] = route.split(' ');
    const security = secured.includes(route) ? { security: [{ token: [] }] } : {};
    paths[path] = { ...paths[path], [method.toLowerCase()]: { ...integration(name), ...security } };
  }
  const uri = integration('authorizer')['x-amazon-apigateway-integration'].uri;
  return {
    openapi: '3.0.1',
    info: { title: 'tiny', version: '1' },
    paths,
    'x-amazon-apigateway-binary-media-types': ['*/*'],
    'x-amazon-apigateway-minimum-compression-size': 1024,
    'x-amazon-apigateway-gateway-responses': {
      MISSING_AUTHENTICATION_TOKEN: gatewayResponse(404, 'Not found'),
      UNAUTHORIZED: gatewayResponse(401, 'Unauthorized'),
      ACCESS_DENIED: gatewayResponse(403, 'Forbidden'),
      REQUEST_TOO_LARGE: gatewayResponse(413, 'Too large'),
      DEFAULT_4XX: gatewayResponse(undefined, 'Refused'),
      DEFAULT_5XX: gatewayResponse(undefined, 'Failed'),
    },
    ...(secured.length > 0 && {
      components: {
        securitySchemes: {
          token: {
            type: 'apiKey',
            name: 'Authorization',
            in: 'header',
            'x-amazon-apigateway-authtype': 'custom',
            'x-amazon-apigateway-authorizer': { type: 'token', authorizerUri: uri, authorizerResultTtlInSeconds: 60 },
          },
        },
      },
    }),
  };
};

const queue = (name: string, redrive?: string) => ({
  Type: 'AWS::SQS::Queue',
  Properties: {
    QueueName: name,
    VisibilityTimeout: 60,
    ...(redrive && {
      RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': [redrive, 'Arn'] }, maxReceiveCount: 3 },
    }),
  },
});

const table = {
  Type: 'AWS::DynamoDB::GlobalTable',
  Properties: {
    TableName: 'tiny',
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
    ],
    StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
    TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
    Replicas: [{ Region: { Ref: 'AWS::Region' } }],
  },
};

const secret = {
  Type: 'AWS::SecretsManager::Secret',
  Properties: {
    Name: 'tiny-secret',
    GenerateSecretString: {
      SecretStringTemplate: '{"current":"k1"}',
      GenerateStringKey: 'k1',
      PasswordLength: 64,
      ExcludePunctuation: true,
    },
  },
};

const schedules = {
  Group: { Type: 'AWS::Scheduler::ScheduleGroup', Properties: { Name: 'tiny-group' } },
  Sweep: {
    Type: 'AWS::Scheduler::Schedule',
    Properties: {
      Name: 'tiny-sweep',
      ScheduleExpression: 'cron(0 0/12 * * ? *)',
      ScheduleExpressionTimezone: 'UTC',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        Arn: { 'Fn::GetAtt': ['Work', 'Arn'] },
        RoleArn: 'arn:aws:iam::000000000000:role/scheduler',
        Input: '{"slot":"<aws.scheduler.scheduled-time>"}',
      },
    },
  },
};

const streamMapping = {
  Type: 'AWS::Lambda::EventSourceMapping',
  Properties: {
    EventSourceArn: { 'Fn::GetAtt': ['Table', 'StreamArn'] },
    FunctionName: { Ref: 'Router' },
    StartingPosition: 'LATEST',
    BatchSize: 10,
    BisectBatchOnFunctionError: true,
    MaximumRetryAttempts: 2,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': ['Lost', 'Arn'] } } },
    FilterCriteria: { Filters: [{ Pattern: '{"dynamodb":{"NewImage":{"entity":{"S":["ALERT"]}}}}' }] },
  },
};

const queueMapping = {
  Type: 'AWS::Lambda::EventSourceMapping',
  Properties: {
    EventSourceArn: { 'Fn::GetAtt': ['Work', 'Arn'] },
    FunctionName: { Ref: 'Worker' },
    BatchSize: 10,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
  },
};

const variables = { TABLE_NAME: { Ref: 'Table' }, WORK_QUEUE_URL: { Ref: 'Work' }, SECRET_ID: { Ref: 'Secret' } };

/** Writes a template with a table, two queues, a secret and the given functions, as a synthesis would leave it. */
const writeTemplate = (
  folder: string,
  code: Code,
  routes: Readonly<Record<string, string>>,
  secured: readonly string[] = [],
  rules: readonly unknown[] = [],
): void => {
  const names = Object.keys(code);
  const resources = {
    Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { Name: 'tiny', Body: definition(routes, secured) } },
    ...(rules.length > 0 && { Firewall: { Type: 'AWS::WAFv2::WebACL', Properties: { Rules: rules } } }),
    Table: table,
    Secret: secret,
    Lost: queue('tiny-lost'),
    Work: queue('tiny-work', 'Lost'),
    ...schedules,
    ...(names.includes('router') && { RouterMapping: streamMapping }),
    ...(names.includes('worker') && { WorkerMapping: queueMapping }),
    ...Object.fromEntries(names.map((name) => [pascal(name), functionResource(name, variables)])),
  };
  writeFileSync(join(folder, 'tiny.template.json'), JSON.stringify({ Resources: resources }));
  for (const [name, text] of Object.entries(code)) {
    mkdirSync(join(folder, `asset.${name}`), { recursive: true });
    writeFileSync(join(folder, `asset.${name}`, 'index.js'), text);
    writeFileSync(join(folder, `asset.${name}`, 'package.json'), '{"type":"commonjs"}');
  }
};

/** Far from every slot, midnight and end of a month: no test depends on when it is run. */
const usualTime = Date.UTC(2026, 4, 2, 10);

export type TinyStack = AsyncDisposable & {
  stack: LocalStack;
  dataFolder: string;
  /** Stops the stack and starts it again on the same data. */
  restart(): Promise<LocalStack>;
};

/** A local stack of a handmade template, without the demo tenant. */
export const startTiny = async (
  code: Code,
  routes: Readonly<Record<string, string>> = {},
  options: Partial<StackOptions> & { secured?: readonly string[]; rules?: readonly unknown[] } = {},
): Promise<TinyStack> => {
  const { secured = [], rules = [], ...rest } = options;
  const folder = mkdtempSync(join(tmpdir(), 'forewarn-tiny-'));
  writeTemplate(folder, code, routes, secured, rules);
  const dataFolder = join(folder, 'data');
  const start = () =>
    startLocalStack({ templateFolder: folder, dataFolder, port: 0, withDemo: false, startTime: usualTime, ...rest });
  let stack = await start();
  return {
    get stack() {
      return stack;
    },
    dataFolder,
    restart: async () => {
      await stack.stop();
      stack = await start();
      return stack;
    },
    async [Symbol.asyncDispose]() {
      await stack.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
