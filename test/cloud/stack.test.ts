import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { indexNames, operatorSecrets } from '#core/platform/operation/grants.ts';
import { maxReceipts, type Worker } from '#core/platform/operation/worker.ts';
import { everySecret } from '#disputes/providers/providers.ts';
import { operations } from '#functions/operations.ts';
import { workers } from '#functions/workers.ts';
import { stageNames } from '#lib/cloud/names.ts';
import { readSettings, readStageFile, settingNames } from '#lib/cloud/settings.ts';
import { streamFilters } from '#lib/cloud/stream-filters.ts';
import { fits } from '#lib/local/events/pattern.ts';
import { at, serviceStack, synthesize, toList } from './synthesized.ts';

const { ofType, only, resources } = serviceStack();
const key = { 'Fn::GetAtt': [only('AWS::KMS::Key').id, 'Arn'] };

describe('the table', () => {
  const table = only('AWS::DynamoDB::GlobalTable');
  const replica = at(table.properties['Replicas'], 0);

  it('can be restored to any moment, and cannot be deleted by mistake', () => {
    expect(toList(table.properties['Replicas'])).toHaveLength(1);
    expect(at(replica, 'PointInTimeRecoverySpecification', 'PointInTimeRecoveryEnabled')).toBe(true);
    expect(at(replica, 'DeletionProtectionEnabled')).toBe(true);
    expect(table.deletionPolicy).toBe('RetainExceptOnCreate');
  });

  it('is encrypted under our own key', () => {
    expect(table.properties['SSESpecification']).toEqual({ SSEEnabled: true, SSEType: 'KMS' });
    expect(at(replica, 'SSESpecification', 'KMSMasterKeyId')).toEqual(key);
  });

  it('costs by use, streams both images and lets items end', () => {
    expect(table.properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
    });
  });

  it('has the declared indexes, each with what its readers show and no more', () => {
    const indexes = toList(table.properties['GlobalSecondaryIndexes']);
    expect(indexes.map((index) => at(index, 'IndexName')).sort()).toEqual([...indexNames].sort());
    for (const index of indexes) {
      const name = String(at(index, 'IndexName'));
      expect(at(index, 'KeySchema')).toEqual([
        { AttributeName: `${name}Pk`, KeyType: 'HASH' },
        { AttributeName: name === 'due' ? 'dueSk' : 'listSk', KeyType: 'RANGE' },
      ]);
      expect(at(index, 'Projection', 'ProjectionType')).toBe('INCLUDE');
      expect(toList(at(index, 'Projection', 'NonKeyAttributes')).length).toBeLessThanOrEqual(3);
    }
  });
});

describe('the queues', () => {
  const queues = ofType('AWS::SQS::Queue');
  const policies = ofType('AWS::SQS::QueuePolicy');
  const isDeadLetters = (name: unknown) => String(name).endsWith('-dead-letters');

  it.each(queues)('$properties.QueueName has dead letters or holds them', ({ properties }) => {
    const target = at(properties, 'RedrivePolicy', 'deadLetterTargetArn', 'Fn::GetAtt', 0);
    if (isDeadLetters(properties['QueueName'])) {
      expect(target).toBeUndefined();
      expect(properties['MessageRetentionPeriod']).toBe(14 * 86_400);
    } else {
      const deadLetters = queues.find(({ id }) => id === target);
      expect(deadLetters?.properties['QueueName']).toBe(`${properties['QueueName']}-dead-letters`);
      expect(at(properties, 'RedrivePolicy', 'maxReceiveCount')).toBe(maxReceipts);
    }
  });

  it.each(queues)('$properties.QueueName is encrypted, and spoken to by TLS only', ({ id, properties }) => {
    expect(properties['KmsMasterKeyId']).toEqual(key);
    const policy = policies.find((one) => at(one.properties, 'Queues', 0, 'Ref') === id);
    expect(JSON.stringify(policy?.properties)).toContain('{"aws:SecureTransport":"false"}');
  });

  // Messages that Lambda's pollers hold back while the function may not be called would else use up its receipts.
  it.each(workers.filter(({ on }) => 'queue' in on))(
    '$name has six times its time before messages come back',
    (worker) => {
      const queue = queues.find(
        ({ properties }) => 'queue' in worker.on && properties['QueueName'] === `forewarn-dev-${worker.on.queue}`,
      );
      expect(queue?.properties['VisibilityTimeout']).toBeGreaterThanOrEqual(6 * worker.timeoutSeconds);
    },
  );
});

describe('the event sources', () => {
  const sources = ofType('AWS::Lambda::EventSourceMapping');
  const sourceOf = (worker: Worker) => {
    const made = ofType('AWS::Lambda::Function').find(
      ({ properties }) => properties['FunctionName'] === stageNames('dev').functionOf(worker),
    );
    const live = ofType('AWS::Lambda::Alias').find(
      ({ properties }) => at(properties, 'FunctionName', 'Ref') === made?.id,
    );
    return sources.find(({ properties }) => at(properties, 'FunctionName', 'Ref') === live?.id)?.properties;
  };

  it.each(workers)('$name is fed as it declares', (worker) => {
    const source = sourceOf(worker);
    if ('authorizer' in worker.on || 'accessLog' in worker.on) return expect(source).toBeUndefined();
    expect(source).toMatchObject({
      BatchSize: worker.on.batchSize,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
  });

  it.each([
    ['deliver', 200],
    ['send-mail', 2],
    ['deadline', 5],
    ['settle', 50],
  ])('let %s run %i times at a time and no more', (name, MaximumConcurrency) => {
    const worker = workers.find((one) => one.name === name);
    expect(worker && sourceOf(worker)).toMatchObject({ ScalingConfig: { MaximumConcurrency } });
  });

  it.each(workers.filter(({ on }) => 'stream' in on))('$name reads its part of the stream', (worker) => {
    const source = sourceOf(worker);
    expect(source).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      BisectBatchOnFunctionError: true,
    });
    // Records that the counter misses are never counted later.
    expect(at(source, 'MaximumRetryAttempts')).toBe(worker.name === 'counter' ? undefined : 10);
    const failures = ofType('AWS::SQS::Queue').find(
      ({ id }) => id === at(source, 'DestinationConfig', 'OnFailure', 'Destination', 'Fn::GetAtt', 0),
    );
    expect(failures?.properties['QueueName']).toBe(`forewarn-dev-${worker.name}-dead-letters`);
    const patterns = toList(at(source, 'FilterCriteria', 'Filters')).map((one) =>
      JSON.parse(String(at(one, 'Pattern'))),
    );
    expect(patterns).toEqual('stream' in worker.on ? streamFilters(worker.on) : []);
    // As many as a source takes.
    expect(patterns.length).toBeLessThanOrEqual(5);
  });

  it('leave out what a function has nothing to do with', () => {
    const mapping = { entities: ['A', 'B', 'C'], newOnly: ['B'], listedOnly: ['C'] };
    const image = (entity: string, list?: string) => ({ entity: { S: entity }, ...(list && { list1Pk: { S: list } }) });
    const isWanted = (change: object, removals?: true): boolean =>
      streamFilters({ ...mapping, ...(removals && { removals }) }).some((filter) => fits(filter, change));
    const inserted = (now: object) => ({ eventName: 'INSERT', dynamodb: { NewImage: now } });
    const modified = (before: object, now: object) => ({
      ...{ eventName: 'MODIFY', dynamodb: { OldImage: before, NewImage: now } },
    });
    const removed = (before: object) => ({ eventName: 'REMOVE', dynamodb: { OldImage: before } });
    expect(isWanted(modified(image('A'), image('A')))).toBe(true);
    expect([isWanted(removed(image('A'))), isWanted(removed(image('A')), true)]).toEqual([false, true]);
    expect([isWanted(inserted(image('B'))), isWanted(modified(image('B'), image('B')))]).toEqual([true, false]);
    expect(isWanted(modified(image('C'), image('C')))).toBe(false);
    expect(isWanted(modified(image('C'), image('C', 'C#all')))).toBe(true);
    expect(isWanted(modified(image('C', 'C#all'), image('C')))).toBe(true);
    expect(isWanted(removed(image('C', 'C#all')), true)).toBe(true);
    expect(isWanted(inserted(image('D')))).toBe(false);
  });

  it('lets a function go on in messages to itself', () => {
    const looping = workers.filter(({ on, grants }) => 'queue' in on && grants.send?.includes(on.queue));
    const allowed = ofType('AWS::Lambda::Function').filter(({ properties }) => properties['RecursiveLoop'] === 'Allow');
    expect(allowed.map(({ properties }) => properties['FunctionName'])).toEqual(
      looping.map((worker) => stageNames('dev').functionOf(worker)),
    );
  });
});

describe('the schedules', () => {
  it('sweep at 00:00 and 12:00 UTC, to the minute, naming the slot by the schedule itself', () => {
    expect(only('AWS::Scheduler::Schedule').properties).toMatchObject({
      ScheduleExpression: 'cron(0 0/12 * * ? *)',
      ScheduleExpressionTimezone: 'UTC',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        Input: '{"slot":"<aws.scheduler.scheduled-time>"}',
        RetryPolicy: { MaximumEventAgeInSeconds: 21_600 },
        DeadLetterConfig: { Arn: { 'Fn::GetAtt': [expect.stringMatching(/^ScheduleDeadLetters/), 'Arn'] } },
      },
    });
  });

  it('fetch alerts of provider_a each minute if that is set, under a role of their own', () => {
    const pulling = serviceStack({ providerAPull: 'true' });
    const schedule = pulling
      .ofType('AWS::Scheduler::Schedule')
      .find(({ properties }) => properties['Name'] === 'forewarn-dev-pull');
    expect(schedule?.properties).toMatchObject({
      ScheduleExpression: 'rate(1 minute)',
      Target: {
        Arn: { 'Fn::GetAtt': [expect.stringMatching(/^PullAQueue/), 'Arn'] },
        Input: '{"slot":"<aws.scheduler.scheduled-time>"}',
        RetryPolicy: { MaximumEventAgeInSeconds: 60 },
      },
    });
    expect(pulling.text).toContain(':schedule-group/forewarn-dev-pull"');
    expect(pulling.text).toContain('"forewarn-dev/pull-schedule-failing"');
  });

  it('send under roles that only schedules of their own group can take', () => {
    const roles = ofType('AWS::IAM::Role').filter(({ id }) => /ScheduleRole/.test(id));
    const sources = roles.map(({ properties }) =>
      JSON.stringify(at(properties, 'AssumeRolePolicyDocument', 'Statement', 0, 'Condition', 'StringEquals')),
    );
    expect(sources).toHaveLength(2);
    expect(sources[0]).toContain(':schedule-group/forewarn-dev-sweep"');
    expect(sources[1]).toContain(':schedule-group/forewarn-dev-deadlines"');
  });
});

describe('what is at rest', () => {
  it('holds secrets as rings of keys, generated in the account and kept', () => {
    const secrets = ofType('AWS::SecretsManager::Secret');
    const names = secrets.map(({ properties }) => properties['Name']);
    const created = everySecret.filter((name) => !operatorSecrets.some((one) => one === name));
    expect(names.toSorted()).toEqual(created.map((name) => `forewarn-dev/${name}`).toSorted());
    for (const name of [
      'jwt',
      'encryption',
      'provider-a',
      'provider-b',
      'rdr',
      'minfraud',
      'sift',
      'outcome-provider-a',
    ]) {
      expect(names).toContain(`forewarn-dev/${name}`);
    }
    for (const { properties, deletionPolicy } of secrets) {
      expect(properties).toMatchObject({
        KmsKeyId: key,
        GenerateSecretString: {
          SecretStringTemplate: '{"current":"k1"}',
          GenerateStringKey: 'k1',
          PasswordLength: 64,
          ExcludePunctuation: true,
        },
      });
      expect(deletionPolicy).toBe('RetainExceptOnCreate');
    }
  });

  it('keeps every log encrypted, for a year, even when the stack goes', () => {
    const groups = ofType('AWS::Logs::LogGroup');
    const areas = new Set(operations.map(({ area }) => area));
    expect(groups.length).toBeGreaterThan(areas.size + workers.length);
    for (const { properties, deletionPolicy } of groups) {
      expect(properties).toMatchObject({ KmsKeyId: key, RetentionInDays: 365 });
      expect(deletionPolicy).toBe('RetainExceptOnCreate');
    }
  });

  it('keeps the key that it is encrypted under, and renews it', () => {
    const { properties, deletionPolicy } = only('AWS::KMS::Key');
    expect(properties['EnableKeyRotation']).toBe(true);
    expect(deletionPolicy).toBe('RetainExceptOnCreate');
  });
});

describe('the way in', () => {
  const stage = only('AWS::ApiGateway::Stage').properties;
  const acl = only('AWS::WAFv2::WebACL').properties;
  const rules = toList(acl['Rules']);
  const counted = (name: string) =>
    toList(
      at(
        rules.find((rule) => at(rule, 'Name') === name),
        'Statement',
        'ManagedRuleGroupStatement',
        'RuleActionOverrides',
      ),
    ).map((override) => at(override, 'Name'));

  it('is protected by the firewall', () => {
    const association = only('AWS::WAFv2::WebACLAssociation').properties;
    expect(JSON.stringify(association['ResourceArn'])).toContain(only('AWS::ApiGateway::Stage').id);
    expect(rules.map((rule) => at(rule, 'Name'))).toEqual([
      'rate',
      'sign-in',
      'AWSManagedRulesCommonRuleSet',
      'AWSManagedRulesKnownBadInputsRuleSet',
      'lookups-a',
      'lookups-b',
      'signed',
    ]);
    expect(at(rules[0], 'Action')).toEqual({ Block: {} });
    expect(at(rules[0], 'Statement', 'RateBasedStatement')).toMatchObject({ Limit: 6000, AggregateKeyType: 'IP' });
    // Fifty a second from one address for each provider's look-ups of orders: strangers cannot use up a bank's.
    for (const [index, provider] of [
      [4, 'provider_a'],
      [5, 'provider_b'],
    ] as const) {
      expect(at(rules[index], 'Statement', 'RateBasedStatement')).toMatchObject({
        ...{ Limit: 3000, EvaluationWindowSec: 60, AggregateKeyType: 'IP' },
        ScopeDownStatement: { ByteMatchStatement: { SearchString: `/api/v3/providers/${provider}/orders` } },
      });
    }
  });

  it('judges no message of a network or a processor by content, and by a rate of its own', () => {
    const regex = /"RegexString":"((?:[^"\\]|\\.)+)"/.exec(JSON.stringify(rules[0]))?.[1] ?? '';
    const signed = { RegexMatchStatement: { FieldToMatch: { UriPath: {} }, RegexString: regex } };
    const except = { NotStatement: { Statement: signed } };
    expect(at(rules[0], 'Statement', 'RateBasedStatement', 'ScopeDownStatement')).toMatchObject(except);
    for (const rule of rules.slice(2, 4)) {
      expect(at(rule, 'Statement', 'ManagedRuleGroupStatement', 'ScopeDownStatement')).toMatchObject(except);
    }
    expect(at(rules[6], 'Statement', 'RateBasedStatement')).toMatchObject({
      Limit: 60_000,
      ScopeDownStatement: signed,
    });
    expect(regex.length).toBeLessThanOrEqual(512);
    const isSigned = (path: string) => new RegExp(regex).test(path);
    const paths = operations.filter(({ auth }) => auth === 'provider').map(({ path }) => path);
    expect(paths.length).toBeGreaterThan(4);
    const filled = { '{mid}': '1055', '{id}': 'cn_6px05kwd01wd', '{processor}': 'stripe', '{sid}': '7' };
    for (const path of paths) {
      const sent = Object.entries(filled).reduce((text, [name, value]) => text.replace(name, value), path as string);
      expect([sent, `/dev${sent}`].map(isSigned), sent).toEqual([true, true]);
    }
    for (const other of [
      '/api/v3/users/x%2Fwebhook',
      '/dev/api/v3/alert/x%2Fapi%2Fv3%2Fproviders%2Fy/update',
      '/a/webhook',
    ]) {
      expect(isSigned(other), other).toBe(false);
    }
  });

  it('lets through what our callers rightly send and our own checks cover', () => {
    expect(counted('AWSManagedRulesCommonRuleSet')).toEqual([
      'SizeRestrictions_BODY',
      'GenericRFI_BODY',
      'EC2MetaDataSSRF_BODY',
      'NoUserAgent_HEADER',
    ]);
    expect(counted('AWSManagedRulesKnownBadInputsRuleSet')).toEqual([]);
  });

  it('logs neither queries nor headers nor bodies, and nothing secret in what the firewall refuses', () => {
    const format = String(at(stage, 'AccessLogSetting', 'Format'));
    expect(format).not.toMatch(/querystring|header|requestOverride|\$context\.path\b/i);
    expect(at(stage, 'MethodSettings', 0)).toMatchObject({ DataTraceEnabled: false, LoggingLevel: 'ERROR' });
    const redacted = toList(only('AWS::WAFv2::LoggingConfiguration').properties['RedactedFields']);
    expect(redacted).toEqual([
      { QueryString: {} },
      ...['authorization', 'rcode', 'x-signature', 'stripe-signature', 'cookie'].map((Name) => ({
        SingleHeader: { Name },
      })),
    ]);
  });

  it('is throttled and traced', () => {
    const whole = toList(stage['MethodSettings']).find((one) => at(one, 'ResourcePath') === '/*');
    expect(whole).toMatchObject({ HttpMethod: '*', ThrottlingRateLimit: 200, ThrottlingBurstLimit: 400 });
    expect(stage['TracingEnabled']).toBe(true);
  });
});

describe('the settings', () => {
  it('name the stack and everything in it by its stage', () => {
    const other = serviceStack({ stage: 'prod', operationsEmail: 'ops@shop.example' });
    expect(other.text).not.toContain('forewarn-dev');
    expect(other.only('AWS::DynamoDB::GlobalTable').properties['TableName']).toBe('forewarn-prod');
  });

  it('verify a whole domain where one is given', () => {
    const context = { alertDomain: 'shop.example', mailFrom: 'alerts@shop.example' };
    const { only: one } = synthesize({ context });
    expect(one('AWS::SES::EmailIdentity').properties['EmailIdentity']).toBe('shop.example');
    expect(only('AWS::SES::EmailIdentity').properties['EmailIdentity']).toBe('alerts@forewarn.example');
    // A second stage of the account.
    const second = synthesize({ context: { ...context, mailIdentity: 'existing' } });
    expect(second.ofType('AWS::SES::EmailIdentity')).toEqual([]);
  });

  it('allow the sandbox processor only where they say so', () => {
    const allowedIn = (service: ReturnType<typeof synthesize>) =>
      new Set(
        service.ofType('AWS::Lambda::Function').flatMap(({ properties }) => {
          const allowed = at(properties, 'Environment', 'Variables', 'ALLOW_SANDBOX');
          return allowed === undefined ? [] : [allowed];
        }),
      );
    expect(allowedIn(serviceStack())).toEqual(new Set(['false']));
    expect(allowedIn(serviceStack({ allowSandbox: 'true' }))).toEqual(new Set(['true']));
  });

  it('put a restored table in the place of the own one, which then stays as it is', () => {
    const stream = 'arn:aws:dynamodb:eu-west-1:123456789012:table/back/stream/2026-05-02T10:00:00.000';
    const restored = synthesize({ context: { restoredTable: 'back', restoredTableStream: stream } });
    expect(restored.ofType('AWS::DynamoDB::GlobalTable')).toEqual([]);
    const streams = restored
      .ofType('AWS::Lambda::EventSourceMapping')
      .map(({ properties }) => properties['EventSourceArn'])
      .filter((arn) => typeof arn === 'string');
    expect(streams).toEqual(workers.filter(({ on }) => 'stream' in on).map(() => stream));
    expect(restored.text).toContain(':table/back/index/due"');
  });

  it('come from the file of the stage, and from the command line before it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'forewarn-stages-'));
    const given = { operationsEmail: 'ops@shop.example', requestsPerAddress: 70 };
    writeFileSync(join(folder, 'prod.json'), JSON.stringify(given));
    writeFileSync(join(folder, 'list.json'), '[]');
    const file = readStageFile('prod', folder);
    const context: Record<string, unknown> = { stage: 'prod', requestsPerAddress: '80' };
    expect(readSettings((name) => context[name] ?? file[name])).toMatchObject({ ...given, requestsPerAddress: 80 });
    expect(readStageFile('other', folder)).toEqual({});
    expect(readStageFile('../prod', folder)).toEqual({});
    expect(() => readStageFile('list', folder)).toThrow('list.json: must be a JSON object of settings');
    rmSync(folder, { recursive: true });
  });

  it('ignore those of a later release in the file of a stage, with a warning', () => {
    const folder = mkdtempSync(join(tmpdir(), 'forewarn-stages-'));
    writeFileSync(join(folder, 'prod.json'), '{"requestsPerAddress":70,"mailFrm":"alerts@shop.example"}');
    const warned = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(readStageFile('prod', folder)).toEqual({ requestsPerAddress: 70 });
    expect(warned).toHaveBeenCalledWith(expect.stringContaining('prod.json: this release has no settings mailFrm.'));
    warned.mockRestore();
    rmSync(folder, { recursive: true });
  });

  it('are all described in the documentation', () => {
    const page = readFileSync('docs/settings.md', 'utf8');
    expect(settingNames.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('are refused all at once', () => {
    const wrong: Record<string, unknown> = { stage: 'prod', allowDocs: 'maybe', alertDomain: 'shop.example' };
    const read = () => readSettings((name) => wrong[name]);
    expect(read).toThrow('allowDocs: must be true or false');
    expect(read).toThrow('mailFrom: must be an address of alertDomain');
    expect(read).toThrow('operationsEmail: is required on stage prod');
  });

  it.each([
    [{ stage: 'Prod Stage' }, 'stage: must be 1 to 12 lower-case letters and digits'],
    [{ mailFrom: 'nobody' }, 'mailFrom: must be an e-mail address'],
    [{ alertDomain: 'shop.example' }, 'mailFrom: must be an address of alertDomain'],
    [{ restoredTable: 'back' }, 'give both or none'],
    [{ allowSandbox: 'maybe' }, 'allowSandbox: must be true or false'],
    [{ allowDocs: 'maybe' }, 'allowDocs: must be true or false'],
    [{ reservedConcurrency: '1.5' }, 'reservedConcurrency: must be a whole number'],
    [{ signInsPerAddress: '5' }, 'signInsPerAddress: must be at least 10'],
    [{ dashboardUrl: 'http://forewarn.example/dashboard' }, 'dashboardUrl: must begin with https://'],
    [{ extraWebhookPorts: '8080;9090' }, 'extraWebhookPorts: must be ports'],
  ])('%j are refused in plain words', (context, words) => {
    expect(() => synthesize({ context })).toThrow(words);
  });
});

it('the stack grants nothing to the public', () => {
  const allowed = resources.flatMap(({ id, properties }) =>
    statementsIn(properties)
      .filter((statement) => at(statement, 'Effect') === 'Allow')
      .filter((statement) => ['*', '{"AWS":"*"}', '"*"'].includes(JSON.stringify(at(statement, 'Principal')) ?? ''))
      .map(() => id),
  );
  expect(allowed).toEqual([]);
});

it('can be created in some order: nothing waits for itself', () => {
  const needs = new Map(
    resources.map(({ id, properties, dependsOn }) => [id, [...dependsOn, ...neededBy(properties)]]),
  );
  const done = new Set<string>();
  for (let before = -1; before < done.size; ) {
    before = done.size;
    for (const [id, ids] of needs) if (ids.every((one) => done.has(one) || !needs.has(one))) done.add(id);
  }
  expect([...needs.keys()].filter((id) => !done.has(id))).toEqual([]);
});

it('gives look-ups the memory, and the question to an issuer the time, that their callers wait for', () => {
  const settingsOf = (area: string, name: string) =>
    ofType('AWS::Lambda::Function').find(
      ({ properties }) => properties['FunctionName'] === stageNames('dev').functionOf({ area, name }),
    )?.properties;
  for (const name of ['lookup-provider-a', 'lookup-provider-b']) {
    expect(settingsOf('lookups', name)).toMatchObject({ MemorySize: 512, Timeout: 28 });
  }
  expect(settingsOf('threeds', 'authenticate')).toMatchObject({ MemorySize: 512, Timeout: 15 });
});

it('gives every function a name that Lambda takes, in the longest of stages', () => {
  const { ofType: inStage } = synthesize({ context: { stage: 'abcdefghijkl' } });
  const names = inStage('AWS::Lambda::Function').map(({ properties }) => String(properties['FunctionName']));
  expect(names.filter((name) => name.length > 64)).toEqual([]);
});

/** The logical ids that a value refers to. */
const neededBy = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  const own = [at(value, 'Ref'), at(value, 'Fn::GetAtt', 0)].filter((id) => typeof id === 'string');
  return [...own, ...Object.values(value).flatMap(neededBy)];
};

/** Every policy statement anywhere inside a resource. */
const statementsIn = (value: unknown): unknown[] => {
  if (typeof value !== 'object' || value === null) return [];
  return [...('Effect' in value ? [value] : []), ...Object.values(value).flatMap(statementsIn)];
};
