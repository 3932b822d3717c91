import { Aws, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Variable } from '#core/platform/operation/environment.ts';
import {
  type Grants,
  type Partitions,
  type TableAction,
  variableOfQueue,
  variableOfSecret,
} from '#core/platform/operation/grants.ts';
import { dueWord, leadingText } from '../build/partitions-of-functions.ts';
import type { ConcurrencyBudget } from './concurrency.ts';
import type { Mail } from './mail.ts';
import type { Names } from './names.ts';
import type { ObjectBucket } from './objects.ts';
import { findQueue, type ServiceQueues } from './queues.ts';
import type { Releases } from './releases.ts';
import type { Schedules } from './schedules.ts';
import { findSecret, type ServiceSecrets } from './secrets.ts';
import type { Settings } from './settings.ts';
import type { ServiceTable } from './table.ts';

/** Everything a function may be granted. */
export type Resources = {
  names: Names;
  settings: Settings;
  concurrency: ConcurrencyBudget;
  key: IKey;
  table: ServiceTable;
  queues: ServiceQueues;
  secrets: ServiceSecrets;
  schedules: Schedules;
  mail: Mail;
  objects: ObjectBucket;
  releases: Releases;
};

export type Environment = Readonly<Record<string, string>>;

/** The variables that tell a function where to find what it is granted. */
export const makeEnvironment = (
  { table, indexes, secrets = [], send = [], schedules, objects }: Grants,
  variables: readonly Variable[],
  resources: Resources,
): Environment => ({
  STAGE_NAME: resources.settings.stage,
  ...((table ?? indexes) && { TABLE_NAME: resources.table.tableName }),
  ...Object.fromEntries(send.map((name) => [variableOfQueue(name), findQueue(resources.queues, name).queue.queueUrl])),
  ...Object.fromEntries(secrets.map((name) => [variableOfSecret(name), findSecret(resources.secrets, name).id])),
  ...(schedules && {
    DEADLINE_QUEUE_ARN: findQueue(resources.queues, 'deadline').queue.queueArn,
    SCHEDULE_GROUP_NAME: resources.schedules.deadlineGroupName,
    SCHEDULE_ROLE_ARN: resources.schedules.deadlineRoleArn,
  }),
  ...(objects && { OBJECTS_BUCKET: resources.objects.bucketName }),
  ...Object.fromEntries(variables.map((name) => [name, readSetting(name, resources)])),
});

const readSetting = (name: Variable, { mail, objects, settings }: Resources): string => {
  if (name === 'MAIL_FROM') return mail.from;
  if (name === 'OBJECTS_BUCKET') return objects.bucketName;
  if (name === 'OPERATIONS_MAIL') return settings.operationsEmail ?? mail.from;
  if (name === 'ENROLLMENT_PROVIDER') return settings.allowSandbox ? settings.enrollmentProvider : 'manual';
  if (name === 'ALLOW_SANDBOX') return String(settings.allowSandbox);
  if (name === 'ALLOW_DOCS') return String(settings.allowDocs);
  if (name === 'DASHBOARD_URL') return settings.dashboardUrl;
  if (name === 'SECOND_FACTOR') return settings.secondFactor;
  if (name === 'PROVIDER_A_FORMAT') return settings.providerAFormat;
  if (name === 'PROVIDER_A_SUBJECT') return settings.providerASubject ?? '';
  if (name === 'PROVIDER_MAPPINGS') return settings.providerMappings;
  if (name === 'EXTRA_WEBHOOK_PORTS') return settings.extraWebhookPorts;
  // Only the local stack, which sets these itself, may send to a loopback address.
  if (name === 'ALLOW_LOOPBACK_HTTP') return 'false';
  if (name === 'MINFRAUD_URL' || name === 'SIFT_URL') return '';
  throw new Error(`${name} comes with a grant; it cannot be asked for`);
};

/** The policy of what is declared, and of nothing else. `partitions`: absent for functions that are not registered, which may touch all. */
export const makeStatements = (
  scope: Construct,
  grants: Grants,
  partitions: Partitions | undefined,
  resources: Resources,
): PolicyStatement[] => {
  const { secrets = [], send = [] } = grants;
  const sendTo = send.map((name) => findQueue(resources.queues, name).queue.queueArn);
  const read = secrets.map((name) => findSecret(resources.secrets, name).arn);
  return [
    ...tableStatements(grants, partitions, resources),
    ...allow(['secretsmanager:GetSecretValue'], read),
    ...allow(['sqs:SendMessage'], sendTo),
    ...(grants.schedules ? scheduleStatements(scope, resources) : []),
    ...(grants.mail ? [mailStatement(resources), suppressionStatement()] : []),
    ...objectStatements(grants, resources),
    ...keyStatements(grants, resources),
  ];
};

/** One statement, or none where there is nothing to allow. */
export const allow = (actions: readonly string[], resources: readonly string[]): PolicyStatement[] =>
  actions.length === 0 || resources.length === 0
    ? []
    : [new PolicyStatement({ actions: [...actions], resources: [...resources] })];

const tableStatements = (
  { table = [], indexes = [] }: Grants,
  partitions: Partitions | undefined,
  { table: { tableArn, indexArnOf } }: Resources,
): PolicyStatement[] => {
  const actions = table.map((action) => `dynamodb:${action}`);
  const lists = indexes.filter((index) => index !== 'due').map(indexArnOf);
  return [
    ...limitToPartitions(allow(actions, [tableArn]), partitions?.rows),
    ...limitToPartitions(allow(['dynamodb:Query'], lists), partitions?.lists),
    ...(indexes.includes('due')
      ? limitToPartitions(allow(['dynamodb:Query'], [indexArnOf('due')]), partitions && [dueWord])
      : []),
  ];
};

/**
 * Limits statements to the partitions of a table or, for queries of an index, to those of the index.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
 * @see https://matt.martz.codes/lock-down-dynamodb-with-iam-policy-conditions, which tried it with an index
 */
const limitToPartitions = (statements: PolicyStatement[], words: readonly string[] | undefined): PolicyStatement[] => {
  if (words === undefined) return statements;
  const leading = words.map((word) => `${leadingText(word)}*`);
  for (const one of statements) one.addCondition('ForAllValues:StringLike', { 'dynamodb:LeadingKeys': leading });
  return statements;
};

const scheduleStatements = (scope: Construct, { schedules }: Resources): PolicyStatement[] => [
  ...allow(
    ['CreateSchedule', 'UpdateSchedule', 'DeleteSchedule', 'GetSchedule'].map((action) => `scheduler:${action}`),
    [
      Stack.of(scope).formatArn({
        service: 'scheduler',
        resource: 'schedule',
        resourceName: `${schedules.deadlineGroupName}/*`,
      }),
    ],
  ),
  new PolicyStatement({
    actions: ['iam:PassRole'],
    resources: [schedules.deadlineRoleArn],
    conditions: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
  }),
];

/**
 * SES asks for the sender's identity, in the sandbox for that of the recipient as well, and for a configuration set where the identity has one by
 * default. The condition limits it to mails of this sender. Assumed: an e-mail with a file is checked as a raw one, as content of the kind
 * `Raw` is.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonsimpleemailservicev2.html
 */
const mailStatement = ({ mail }: Resources): PolicyStatement =>
  new PolicyStatement({
    actions: ['ses:SendEmail', 'ses:SendRawEmail'],
    resources: [mail.anyIdentityArn, mail.anyConfigurationSetArn],
    conditions: { StringEquals: { 'ses:FromAddress': mail.from } },
  });

/** The account's suppression list, which has no ARN of its own. */
const suppressionStatement = (): PolicyStatement =>
  new PolicyStatement({ actions: ['ses:GetSuppressedDestination'], resources: ['*'] });

/** Files by prefix, and the key through S3: writing asks for a data key, reading for its decryption. */
const objectStatements = ({ objects = [] }: Grants, { key, objects: bucket }: Resources): PolicyStatement[] => {
  const uses = [
    ...(objects.some((grant) => grant.startsWith('GetObject')) ? ['kms:Decrypt'] : []),
    ...(objects.some((grant) => grant.startsWith('PutObject')) ? ['kms:GenerateDataKey'] : []),
  ];
  return [
    ...objects.flatMap((grant) => {
      const [action, prefix] = grant.split(' ');
      return allow([`s3:${action}`], [`${bucket.bucketArn}/${prefix}/*`]);
    }),
    ...(uses.length > 0 ? keyStatement(key, uses, ['s3']) : []),
  ];
};

const writing: readonly TableAction[] = ['PutItem', 'UpdateItem', 'DeleteItem'];

/** The key, through the services that were granted only. DynamoDB asks for more where it writes. */
const keyStatements = ({ table = [], indexes = [], secrets = [], send = [] }: Grants, resources: Resources) => {
  const reads = table.length + indexes.length + secrets.length > 0;
  return [
    ...(reads || send.length > 0
      ? keyStatement(
          resources.key,
          ['kms:Decrypt'],
          [
            ...(table.length + indexes.length > 0 ? ['dynamodb'] : []),
            ...(secrets.length > 0 ? ['secretsmanager'] : []),
            ...(send.length > 0 ? ['sqs'] : []),
          ],
        )
      : []),
    ...(send.length > 0 ? keyStatement(resources.key, ['kms:GenerateDataKey'], ['sqs']) : []),
    ...(table.length + indexes.length > 0 ? keyStatement(resources.key, ['kms:DescribeKey'], ['dynamodb']) : []),
    ...(table.some((action) => writing.includes(action))
      ? keyStatement(
          resources.key,
          ['kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'],
          ['dynamodb'],
        )
      : []),
  ];
};

/** Use of the key through services named as in their host names. */
export const keyStatement = (key: IKey, actions: readonly string[], services: readonly string[]): PolicyStatement[] => [
  new PolicyStatement({
    actions: [...actions],
    resources: [key.keyArn],
    conditions: { StringEquals: { 'kms:ViaService': services.map((name) => `${name}.${Aws.REGION}.amazonaws.com`) } },
  }),
];
