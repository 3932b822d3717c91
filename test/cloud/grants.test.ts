import { describe, expect, it } from 'vitest';
import {
  type Grants,
  operatorSecrets,
  type Partitions,
  variableOfQueue,
  variableOfSecret,
} from '#core/platform/operation/grants.ts';
import type { Operation } from '#core/platform/operation/operation.ts';
import type { Worker } from '#core/platform/operation/worker.ts';
import { operations } from '#functions/operations.ts';
import { workers } from '#functions/workers.ts';
import { partitionsFor } from '#lib/build/partitions-of-functions.ts';
import { grantsOfRole } from '#lib/cloud/kept-grants.ts';
import { deployedName, stageNames } from '#lib/cloud/names.ts';
import { at, type Fields, type Resource, serviceStack, toList } from './synthesized.ts';

const { ofType, only } = serviceStack({ allowSandbox: 'true' });
const names = stageNames('dev');
const functions = ofType('AWS::Lambda::Function');
const roles = new Map(ofType('AWS::IAM::Role').map((role) => [role.id, role]));

const findFunction = (one: Operation | Worker): Resource => {
  const found = functions.find(({ properties }) => properties['FunctionName'] === names.functionOf(one));
  if (!found) throw new Error(`${one.area}/${one.name} has no function`);
  return found;
};

/** A name for what an ARN in a policy points at: `Queue:forewarn-dev-mail`, `Table/index/due`, `*`. */
const arnName = (arn: unknown): string => {
  if (typeof arn === 'string') return arn;
  const [id, attribute] = toList(at(arn, 'Fn::GetAtt') ?? at(arn, 'Ref'));
  if (typeof id === 'string') return short(id, attribute);
  const parts = toList(at(arn, 'Fn::Join', 1)).map((part) => (typeof part === 'string' ? part : arnName(part)));
  return parts.join('').replace(/^arn:aws:[a-z]+:[a-z0-9-]+:AWS::AccountId:/, '');
};

const short = (id: string, attribute: unknown): string => {
  const resource = [
    ...ofType('AWS::SQS::Queue'),
    ...ofType('AWS::SecretsManager::Secret'),
    ...ofType('AWS::Logs::LogGroup'),
    ...ofType('AWS::Scheduler::ScheduleGroup'),
  ].find((one) => one.id === id);
  const name =
    resource &&
    (resource.properties['QueueName'] ?? resource.properties['Name'] ?? resource.properties['LogGroupName']);
  if (name !== undefined) return String(name);
  if (id === only('AWS::DynamoDB::GlobalTable').id) return attribute === 'StreamArn' ? 'stream' : 'table';
  if (id === only('AWS::KMS::Key').id) return 'key';
  return id.replace(/[0-9A-F]{8}$/, '');
};

/** Returns the permissions of a function, one line per action and resource; use of the key with the service it goes through. */
const allowed = (one: Operation | Worker): string[] => {
  const role = roles.get(String(at(findFunction(one).properties['Role'], 'Fn::GetAtt', 0)));
  const statements = toList(role?.properties['Policies']).flatMap((policy) =>
    toList(at(policy, 'PolicyDocument', 'Statement')),
  );
  const lines = statements.flatMap((statement) =>
    toList(at(statement, 'Action')).flatMap((action) =>
      toList(at(statement, 'Resource')).flatMap((resource) => {
        const through = toList(at(statement, 'Condition', 'StringEquals', 'kms:ViaService')).map(
          (service) => ` through ${arnName(service).split('.')[0]}`,
        );
        const leading = at(statement, 'Condition', 'ForAllValues:StringLike', 'dynamodb:LeadingKeys');
        const within = leading === undefined ? '' : ` within ${toList(leading).join()}`;
        return (through.length > 0 ? through : ['']).map((way) => `${action} ${arnName(resource)}${way}${within}`);
      }),
    ),
  );
  return [...new Set(lines)].sort();
};

const writes = ['PutItem', 'UpdateItem', 'DeleteItem'];
const useOfKey = (service: string, ...actions: string[]) =>
  actions.map((action) => `kms:${action} key through ${service}`);

const within = (words: readonly string[] = []): string =>
  ` within ${words.map((word) => (word === 'INFORM@' ? 'INFORM@*' : `${word}#*`)).join()}`;

/** The same, worked out from the declaration and the registered partitions alone. */
const declared = (
  { table = [], indexes = [], secrets = [], send = [], schedules, mail, objects = [] }: Grants,
  partitions: Partitions | undefined,
): string[] => [
  ...table.map((action) => `dynamodb:${action} table${within(partitions?.rows)}`),
  ...indexes.map(
    (index) => `dynamodb:Query table/index/${index}${within(index === 'due' ? ['DUE'] : partitions?.lists)}`,
  ),
  ...(table.length + indexes.length > 0 ? useOfKey('dynamodb', 'Decrypt', 'DescribeKey') : []),
  ...(table.some((action) => writes.includes(action))
    ? useOfKey('dynamodb', 'Encrypt', 'GenerateDataKey', 'ReEncryptFrom', 'ReEncryptTo')
    : []),
  ...secrets.map((name) =>
    operatorSecrets.some((one) => one === name)
      ? `secretsmanager:GetSecretValue secret:forewarn-dev/${name}-??????`
      : `secretsmanager:GetSecretValue forewarn-dev/${name}`,
  ),
  ...(secrets.length > 0 ? useOfKey('secretsmanager', 'Decrypt') : []),
  ...send.map((name) => `sqs:SendMessage forewarn-dev-${name}`),
  ...(send.length > 0 ? useOfKey('sqs', 'Decrypt', 'GenerateDataKey') : []),
  ...(schedules
    ? [
        ...['Create', 'Delete', 'Get', 'Update'].map(
          (verb) => `scheduler:${verb}Schedule schedule/forewarn-dev-deadlines/*`,
        ),
        'iam:PassRole DeadlineScheduleRole',
      ]
    : []),
  ...objects.map((grant) => `s3:${grant.replace(' ', ' Objects/')}/*`),
  ...(objects.some((grant) => grant.startsWith('GetObject')) ? useOfKey('s3', 'Decrypt') : []),
  ...(objects.some((grant) => grant.startsWith('PutObject')) ? useOfKey('s3', 'GenerateDataKey') : []),
  ...(mail
    ? [
        'ses:GetSuppressedDestination *',
        ...['SendEmail', 'SendRawEmail'].flatMap((action) => [
          `ses:${action} configuration-set/*`,
          `ses:${action} identity/*`,
        ]),
      ]
    : []),
];

const feeding = ({ on, name }: Worker): string[] => {
  if ('queue' in on) {
    const actions = ['ReceiveMessage', 'DeleteMessage', 'ChangeMessageVisibility', 'GetQueueAttributes'];
    return [...actions.map((action) => `sqs:${action} forewarn-dev-${on.queue}`), ...useOfKey('sqs', 'Decrypt')];
  }
  // CloudWatch Logs calls what the access log feeds.
  if ('authorizer' in on || 'accessLog' in on) return [];
  return [
    ...['DescribeStream', 'GetRecords', 'GetShardIterator'].map((action) => `dynamodb:${action} stream`),
    'dynamodb:ListStreams *',
    `sqs:SendMessage forewarn-dev-${name}-dead-letters`,
    ...useOfKey('dynamodb', 'Decrypt'),
    ...useOfKey('sqs', 'Decrypt', 'GenerateDataKey'),
  ];
};

/** An operation writes where its area does, a worker has a group of its own. */
const everyFunction = (one: Operation | Worker) => [
  ...['logs:CreateLogStream', 'logs:PutLogEvents'].map(
    (action) => `${action} /aws/lambda/forewarn-dev-${'on' in one ? deployedName(one) : one.area}`,
  ),
  'xray:PutTraceSegments *',
  'xray:PutTelemetryRecords *',
];

describe.each([...operations])('$area/$name', (operation) => {
  it('may do what it declares and nothing else', () => {
    const expected = [...everyFunction(operation), ...declared(grantsOfRole(operation), partitionsFor(operation))];
    expect(allowed(operation)).toEqual([...new Set(expected)].sort());
  });
});

describe.each([...workers])('$area/$name', (worker) => {
  it('may do what it declares, be fed, and nothing else', () => {
    const expected = [
      ...everyFunction(worker),
      ...declared(grantsOfRole(worker), partitionsFor(worker)),
      ...feeding(worker),
    ];
    expect(allowed(worker)).toEqual([...new Set(expected)].sort());
  });
});

describe('the partitions of the table', () => {
  const all = [...operations, ...workers];
  const namesOf = (isIt: (partitions: Partitions) => boolean) =>
    all.filter((one) => isIt(partitionsFor(one) ?? { rows: [], lists: [] })).map(({ area, name }) => `${area}/${name}`);
  const touching = (...words: string[]) =>
    namesOf(({ rows, lists }) => [...rows, ...lists].some((word) => words.includes(word)));

  it('are limited for every function that may read the table or its lists', () => {
    const unlimited = all.filter((one) => {
      const { rows = [], lists = [] } = partitionsFor(one) ?? {};
      const readsLists = one.grants.indexes?.some((index) => index !== 'due') ?? false;
      return (one.grants.table !== undefined && rows.length === 0) || (readsLists && lists.length === 0);
    });
    expect(unlimited.map(({ area, name }) => `${area}/${name}`)).toEqual([]);
  });

  it.each([
    ['USER'],
    ['SESSION'],
    ['CHALLENGE'],
    ['SIGN_IN'],
    ['TOKEN'],
    ['API_KEY'],
    ['PASSKEY'],
    ['PASSWORD_LINK'],
    ['SSO_ATTEMPT'],
    ['SSO_IDENTITY'],
  ])('%s are unreachable for functions outside accounts/auth', (word) => {
    const found = touching(word);
    expect(found).not.toEqual([]);
    // They notify managers, assignees, mentioned users and readers of digests, whom they find in the list of the merchant's users.
    const mayList =
      word === 'USER'
        ? [
            'alerts/note-alert',
            'alerts/set-assignee',
            'alerts/deadline',
            'chargebacks/decide-chargebacks',
            'jobs/send-mail',
          ]
        : [];
    expect(found.filter((name) => !name.startsWith('auth/'))).toEqual(mayList);
    expect(namesOf(({ rows }) => rows.includes(word)).filter((name) => !name.startsWith('auth/'))).toEqual([]);
  });

  it('are none of alerts, payments and sites for functions that sign callers in', () => {
    for (const name of ['auth/authorizer', 'auth/get-token', 'auth/create-session']) {
      const [area = '', own = ''] = name.split('/');
      for (const word of ['SITE', 'ALERT', 'TX'])
        expect(partitionsFor({ area, name: own })?.rows, name).not.toContain(word);
    }
  });
});

it.each([...operations, ...workers])('$area/$name finds in its environment what it is granted', (one) => {
  const { table, indexes, secrets = [], send = [], schedules, objects } = one.grants;
  const expected = [
    'STAGE_NAME',
    ...(table || indexes ? ['TABLE_NAME'] : []),
    ...secrets.map(variableOfSecret),
    ...send.map(variableOfQueue),
    ...(schedules ? ['DEADLINE_QUEUE_ARN', 'SCHEDULE_GROUP_NAME', 'SCHEDULE_ROLE_ARN'] : []),
    ...(objects ? ['OBJECTS_BUCKET'] : []),
    ...(one.variables ?? []),
  ];
  const given = at(findFunction(one).properties, 'Environment', 'Variables');
  expect(Object.keys(given as Fields).sort()).toEqual([...expected].sort());
});

it('may send e-mail from the one address only', () => {
  const mailers = [...operations, ...workers].filter(({ grants }) => grants.mail);
  const conditions = mailers.map((one) => {
    const role = roles.get(String(at(findFunction(one).properties['Role'], 'Fn::GetAtt', 0)));
    const statements = toList(at(role?.properties['Policies'], 0, 'PolicyDocument', 'Statement'));
    return at(
      statements.find((statement) => at(statement, 'Action', 0) === 'ses:SendEmail'),
      'Condition',
    );
  });
  expect(conditions).toEqual(mailers.map(() => ({ StringEquals: { 'ses:FromAddress': 'alerts@forewarn.example' } })));
});

it('never lets a function leave its local setting for loopback addresses on', () => {
  const values = functions.map(({ properties }) => at(properties, 'Environment', 'Variables', 'ALLOW_LOOPBACK_HTTP'));
  expect(new Set(values)).toEqual(new Set([undefined, 'false']));
});

it('has traces begin at the gateway, and not at each worker', () => {
  const modeOf = (one: Operation | Worker) => at(findFunction(one).properties['TracingConfig'], 'Mode');
  expect(new Set(operations.map(modeOf))).toEqual(new Set(['Active']));
  expect(new Set(workers.map(modeOf))).toEqual(new Set(['PassThrough']));
});

it('makes each function of two resources, on Node 24 and arm64', () => {
  for (const { properties } of functions) {
    expect(properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
    });
  }
  expect(functions).toHaveLength(operations.length + workers.length);
  const own = functions.map(({ properties }) => at(properties['Role'], 'Fn::GetAtt', 0));
  expect(new Set(own).size).toBe(functions.length);
  expect(own.filter((id) => !roles.has(String(id)))).toEqual([]);
  expect([...ofType('AWS::IAM::Policy'), ...ofType('AWS::IAM::ManagedPolicy')]).toEqual([]);
});
