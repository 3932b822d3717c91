import { join } from 'node:path';
import * as v from 'valibot';
import type { QueueDefinition } from '../aws/queues.ts';
import { ScheduleRequest } from '../aws/schedules.ts';
import type { SecretDefinition } from '../aws/secrets.ts';
import { queueUrl } from '../aws/sqs-service.ts';
import { TableDefinition } from '../aws/table-definition.ts';
import type { FunctionDefinition } from '../functions/function-runner.ts';
import type { AccessLogDefinition } from '../gateway/access-log.ts';
import type { LimitSources } from '../gateway/request-limits.ts';
import { Definition } from '../gateway/routes.ts';
import { UserError } from '../user-error.ts';
import { account, createResolver, type Found, type Resolver, region } from './resolver.ts';
import type { Attributes, Resource, Template } from './template.ts';

const text = v.optional(v.union([v.string(), v.number()]));
const Queue = v.object({
  VisibilityTimeout: v.optional(v.number(), 30),
  DelaySeconds: v.optional(v.number(), 0),
  MessageRetentionPeriod: v.optional(v.number(), 345_600),
  MaximumMessageSize: v.optional(v.number(), 1_048_576),
  RedrivePolicy: v.optional(v.object({ deadLetterTargetArn: v.string(), maxReceiveCount: v.number() })),
});
const LambdaFunction = v.object({
  Handler: v.string(),
  Timeout: v.optional(v.number(), 3),
  MemorySize: v.optional(v.number(), 128),
  Code: v.object({ S3Key: v.optional(v.string()) }),
  Environment: v.optional(v.object({ Variables: v.optional(v.record(v.string(), v.string()), {}) }), { Variables: {} }),
});
const Mapping = v.object({
  EventSourceArn: v.string(),
  FunctionName: v.string(),
  Enabled: v.optional(v.boolean(), true),
  BatchSize: v.optional(v.number()),
  ScalingConfig: v.optional(v.object({ MaximumConcurrency: v.optional(v.number()) })),
  FilterCriteria: v.optional(v.object({ Filters: v.array(v.object({ Pattern: v.string() })) })),
  FunctionResponseTypes: v.optional(v.array(v.string()), []),
  BisectBatchOnFunctionError: v.optional(v.boolean(), false),
  MaximumRetryAttempts: v.optional(v.number(), -1),
  DestinationConfig: v.optional(v.object({ OnFailure: v.optional(v.object({ Destination: v.string() })) })),
});

export type MappingDefinition = v.InferOutput<typeof Mapping> & { id: string };

/** Everything of the template that the local stack runs, worked out. */
export type Resources = {
  tables: readonly TableDefinition[];
  queues: readonly QueueDefinition[];
  functions: readonly FunctionDefinition[];
  mappings: readonly MappingDefinition[];
  schedules: readonly { name: string; request: v.InferOutput<typeof ScheduleRequest> }[];
  scheduleGroups: readonly string[];
  secrets: readonly SecretDefinition[];
  mailIdentities: readonly string[];
  buckets: readonly string[];
  definition: Definition;
  stage: string;
  limits: LimitSources;
  accessLog: AccessLogDefinition;
};

/** Works out a template's resources. `awsUrl` is where its queues answer. */
export const readResources = (template: Template, awsUrl: string): Resources => {
  const namesOf = (resource: Found) => toAttributes(resource, template.stackName, awsUrl);
  const resolver = createResolver(template, namesOf);
  const nameOf = (resource: Found) => namesOf(resource)?.['Name'] ?? resource.id;
  const arnOf = (resource: Found) => namesOf(resource)?.['Arn'] ?? '';
  const read = <E extends v.ObjectEntries, T>(
    type: string,
    entries: E,
    make: (value: v.InferOutput<v.ObjectSchema<E, undefined>>, resource: Found) => T,
  ): T[] =>
    resolver.ofType(type).map((resource) => {
      // Only what is asked for is worked out: other properties may refer to resources that mean nothing here.
      const values = Object.keys(entries).map((key) => [key, resource.resolve(resource.properties[key])]);
      const given = Object.fromEntries(values.filter(([, value]) => value !== undefined));
      return make(parseProperties(v.object(entries), given, resource), resource);
    });
  const [gateway] = resolver.ofType('AWS::ApiGateway::RestApi');
  return {
    tables: read('AWS::DynamoDB::GlobalTable', v.omit(TableDefinition, ['TableName']).entries, (value, resource) => ({
      ...value,
      TableName: nameOf(resource),
    })),
    queues: read('AWS::SQS::Queue', Queue.entries, (value, resource) =>
      toQueue(value, nameOf(resource), arnOf(resource)),
    ),
    functions: read('AWS::Lambda::Function', LambdaFunction.entries, (value, resource) =>
      toFunction(value, namesOf(resource), resolver, template.folder),
    ),
    mappings: read('AWS::Lambda::EventSourceMapping', Mapping.entries, (value, { id }) => ({ ...value, id })),
    schedules: read('AWS::Scheduler::Schedule', ScheduleRequest.entries, (request, resource) => ({
      name: nameOf(resource),
      request,
    })),
    scheduleGroups: ['default', ...resolver.ofType('AWS::Scheduler::ScheduleGroup').map(nameOf)],
    secrets: read('AWS::SecretsManager::Secret', GeneratedSecret, (value, resource) => ({
      name: nameOf(resource),
      arn: namesOf(resource)?.[''] ?? '',
      generate: value.GenerateSecretString,
    })),
    mailIdentities: read('AWS::SES::EmailIdentity', { EmailIdentity: v.string() }, (value) => value.EmailIdentity),
    buckets: resolver.ofType('AWS::S3::Bucket').map(nameOf),
    definition: v.parse(Definition, gateway?.resolve(gateway.properties['Body'])),
    limits: limitSources(resolver),
    accessLog: accessLogSources(resolver),
    stage: read('AWS::ApiGateway::Stage', { StageName: v.string() }, (value) => value.StageName)[0] ?? 'local',
  };
};

/** The throttles and the firewall's rules, which a template without a gateway or a firewall lacks. */
const limitSources = (resolver: Resolver): LimitSources => {
  const listsOf = (type: string, property: string): unknown[] =>
    resolver.ofType(type).flatMap(({ properties, resolve }) => v.parse(List, resolve(properties[property])));
  return {
    methodSettings: listsOf('AWS::ApiGateway::Stage', 'MethodSettings'),
    rules: listsOf('AWS::WAFv2::WebACL', 'Rules'),
  };
};

const accessLogSources = (resolver: Resolver): AccessLogDefinition => {
  const [stage] = resolver.ofType('AWS::ApiGateway::Stage');
  const filters = resolver.ofType('AWS::Logs::SubscriptionFilter');
  return {
    format: v.parse(AccessLogSetting, stage?.resolve(stage.properties['AccessLogSetting'])).Format,
    subscriptions: filters.map(({ properties, resolve }) => ({
      destinationArn: v.parse(v.string(), resolve(properties['DestinationArn'])),
      pattern: v.parse(v.string(), resolve(properties['FilterPattern'])),
    })),
  };
};

const AccessLogSetting = v.optional(v.object({ Format: v.optional(v.string(), '{}') }), {});
const List = v.optional(v.array(v.unknown()), []);
const GeneratedSecret = { GenerateSecretString: v.optional(v.unknown()) };

const parseProperties = <S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  { id, type }: Resource,
): v.InferOutput<S> => {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new UserError(`The local stack cannot run ${id} (${type}): ${v.getDotPath(issue) ?? 'it'}: ${issue.message}.`);
};

const toQueue = (value: v.InferOutput<typeof Queue>, name: string, arn: string): QueueDefinition => ({
  name,
  arn,
  visibilityTimeoutSeconds: value.VisibilityTimeout,
  delaySeconds: value.DelaySeconds,
  retentionSeconds: value.MessageRetentionPeriod,
  maximumMessageBytes: value.MaximumMessageSize,
  ...(value.RedrivePolicy && {
    redrive: { arn: value.RedrivePolicy.deadLetterTargetArn, maxReceiveCount: value.RedrivePolicy.maxReceiveCount },
  }),
});

const toFunction = (
  value: v.InferOutput<typeof LambdaFunction>,
  { Name: name = '', Arn: arn = '' }: Attributes = {},
  resolver: Resolver,
  folder: string,
): FunctionDefinition => ({
  ...{ name, arn, aliases: listAliases(resolver, name) },
  // CDK names an asset's folder after its hash, and the object in the bucket after both.
  folder: join(folder, `asset.${value.Code.S3Key?.replace(/\.zip$/, '') ?? ''}`),
  handler: value.Handler,
  timeoutSeconds: value.Timeout,
  memoryMegabytes: value.MemorySize,
  environment: value.Environment.Variables,
});

/** The names of the aliases of a function. */
const listAliases = (resolver: Resolver, functionName: string): string[] =>
  resolver
    .ofType('AWS::Lambda::Alias')
    .filter(({ properties, resolve }) => resolve(properties['FunctionName']) === functionName)
    .map(({ properties, resolve }) => String(resolve(properties['Name'])));

/** Under which property a type has its name, and how its ARN goes on after the account. */
const naming: Readonly<Record<string, { property: string; service: string; path: string } | undefined>> = {
  'AWS::DynamoDB::GlobalTable': { property: 'TableName', service: 'dynamodb', path: 'table/' },
  'AWS::SQS::Queue': { property: 'QueueName', service: 'sqs', path: '' },
  'AWS::Lambda::Function': { property: 'FunctionName', service: 'lambda', path: 'function:' },
  'AWS::Scheduler::Schedule': { property: 'Name', service: 'scheduler', path: 'schedule/' },
  'AWS::Scheduler::ScheduleGroup': { property: 'Name', service: 'scheduler', path: 'schedule-group/' },
  'AWS::SecretsManager::Secret': { property: 'Name', service: 'secretsmanager', path: 'secret:' },
  'AWS::SES::EmailIdentity': { property: 'EmailIdentity', service: 'ses', path: 'identity/' },
  'AWS::S3::Bucket': { property: 'BucketName', service: 's3', path: '' },
  'AWS::IAM::Role': { property: 'RoleName', service: 'iam', path: 'role/' },
  'AWS::KMS::Key': { property: '', service: 'kms', path: 'key/' },
  'AWS::SNS::Topic': { property: 'TopicName', service: 'sns', path: '' },
  'AWS::Logs::LogGroup': { property: 'LogGroupName', service: 'logs', path: 'log-group:' },
};

/** Returns the local names of a resource: `Ref` under the empty name, `Name` for the stack's own use. */
const toAttributes = (
  { id, type, properties, resolve }: Found,
  stackName: string,
  awsUrl: string,
): Attributes | undefined => {
  if (type === 'AWS::ApiGateway::RestApi') return { '': 'local', RootResourceId: 'root' };
  if (type === 'AWS::Lambda::Alias') {
    const { FunctionName, Name } = properties;
    return { '': `arn:aws:lambda:${region}:${account}:function:${resolve(FunctionName)}:${resolve(Name)}` };
  }
  const rule = naming[type];
  if (!rule) return undefined;
  const name = v.parse(text, resolve(properties[rule.property])) ?? `${stackName}-${id.replaceAll('/', '-')}`;
  const Name = String(name);
  const Arn = `arn:aws:${rule.service}:${region}:${account}:${rule.path}${Name}`;
  const common = { '': Name, Name, Arn };
  if (type === 'AWS::SQS::Queue') return { ...common, '': queueUrl(awsUrl, Name), QueueName: Name };
  if (type === 'AWS::DynamoDB::GlobalTable') return { ...common, StreamArn: `${Arn}/stream/local`, TableId: Name };
  if (type === 'AWS::SecretsManager::Secret') return { ...common, '': `${Arn}-local0`, Id: `${Arn}-local0` };
  if (type === 'AWS::SNS::Topic') return { ...common, '': Arn, TopicArn: Arn, TopicName: Name };
  return common;
};
