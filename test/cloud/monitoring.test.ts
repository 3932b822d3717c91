import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isFields } from '#core/kernel/is-object.ts';
import type { Worker } from '#core/platform/operation/worker.ts';
import { signingProviderNames } from '#disputes/providers/providers.ts';
import { workers } from '#functions/workers.ts';
import { deployedName, stageNames } from '#lib/cloud/names.ts';
import { serviceLevels } from '#lib/cloud/service-level-watches.ts';
import { at, type Fields, serviceStack, toList } from './synthesized.ts';

const { ofType, only } = serviceStack({ operationsEmail: 'ops@shop.example' });
const everyAlarm = ofType('AWS::CloudWatch::Alarm').map(({ properties }) => properties);
/** Without the alarms that only undo a release; test/cloud/releases.test.ts checks those. */
const alarms = everyAlarm.filter(({ AlarmName }) => !String(AlarmName).includes('/release-'));
const runbook = readFileSync('docs/runbook.md', 'utf8');

/** The alarms on a metric of the resource, named by its logical id. */
const watching = (metric: string, id: string) =>
  alarms.filter(
    ({ MetricName, Dimensions }) => MetricName === metric && JSON.stringify(Dimensions ?? []).includes(`"${id}"`),
  );
const functionId = (worker: Worker): string => {
  const found = ofType('AWS::Lambda::Function').find(
    ({ properties }) => properties['FunctionName'] === stageNames('dev').functionOf(worker),
  );
  return found?.id ?? '';
};

describe('every hop has its alarm', () => {
  const queues = ofType('AWS::SQS::Queue').map(({ id, properties }) => ({ id, name: String(properties['QueueName']) }));

  it.each(queues.filter(({ name }) => name.endsWith('-dead-letters')))(
    '$name: as soon as it holds something',
    ({ id }) => {
      expect(watching('ApproximateNumberOfMessagesVisible', id)).toEqual([
        expect.objectContaining({ Threshold: 1, Statistic: 'Maximum' }),
      ]);
    },
  );

  it.each(queues.filter(({ name }) => !name.endsWith('-dead-letters')))(
    '$name: when its oldest message waits',
    ({ id }) => {
      expect(watching('ApproximateAgeOfOldestMessage', id)).toEqual([expect.objectContaining({ Threshold: 900 })]);
    },
  );

  it.each(workers.filter(({ on }) => 'stream' in on))('$name: when it falls behind the table', (worker) => {
    expect(watching('IteratorAge', functionId(worker))).toEqual([expect.objectContaining({ Threshold: 300_000 })]);
  });

  it.each(workers)('$name: when it fails or is held back', (worker) => {
    const id = functionId(worker);
    expect(watching('Throttles', id)).toHaveLength(1);
    expect(watching('Errors', id)).toHaveLength('authorizer' in worker.on ? 0 : 1);
  });

  it.each(['sweep', 'deadlines'])('the schedules of the group %s: when one cannot be sent', (name) => {
    const group = ofType('AWS::Scheduler::ScheduleGroup').find(
      ({ properties }) => properties['Name'] === `forewarn-dev-${name}`,
    );
    expect(watching('TargetErrorCount', group?.id ?? '')).toHaveLength(1);
  });

  it('the gateway: raises an alarm for several or repeated 5xx responses, but not for one', () => {
    const found = alarms.filter(({ MetricName }) => MetricName === '5XXError');
    expect(found.map((one) => [one['Threshold'], one['EvaluationPeriods'], one['DatapointsToAlarm']])).toEqual([
      [5, 1, undefined],
      [1, 6, 3],
    ]);
  });
});

/** The metrics that an alarm on an expression reads. */
const listMetrics = (alarm: Fields | undefined): Fields[] =>
  toList(alarm?.['Metrics']).flatMap((one) => {
    const stat = at(one, 'MetricStat');
    return isFields(stat) ? [stat] : [];
  });
const findExpression = (alarm: Fields | undefined): unknown =>
  at(
    toList(alarm?.['Metrics']).find((one) => at(one, 'ReturnData') !== false && at(one, 'Expression') !== undefined),
    'Expression',
  );
const named = (name: string) => alarms.find(({ AlarmName }) => AlarmName === `forewarn-dev/${name}`);

describe('AWS limits', () => {
  it.each([
    ['table-throttled', 'ThrottledRequests', 10],
    ['table-failing', 'SystemErrors', 5],
  ])('%s sums every type of table call', (name, metric, Threshold) => {
    const table = only('AWS::DynamoDB::GlobalTable').id;
    const read = listMetrics(named(name));
    expect(read.length).toBe(8);
    for (const one of read) {
      expect(one).toMatchObject({ Metric: { Namespace: 'AWS/DynamoDB', MetricName: metric }, Stat: 'Sum' });
      expect(JSON.stringify(at(one, 'Metric', 'Dimensions'))).toContain(`"${table}"`);
    }
    expect(named(name)).toMatchObject({ Threshold });
  });

  it.each([
    [{}, 800],
    [{ lambdaConcurrency: '50' }, 40],
  ])('concurrency-nearly-used raises an alarm at 80 %% of the quota (%j)', (context, Threshold) => {
    const alarm = serviceStack(context)
      .ofType('AWS::CloudWatch::Alarm')
      .find(({ properties }) => properties['AlarmName'] === 'forewarn-dev/concurrency-nearly-used');
    expect(alarm?.properties).toMatchObject({
      ...{ Namespace: 'AWS/Lambda', MetricName: 'ClaimedAccountConcurrency', Statistic: 'Maximum', Threshold },
    });
    expect(alarm?.properties['Dimensions']).toBeUndefined();
  });

  it.each([
    ['mail-bouncing', 'Reputation.BounceRate', 0.05],
    ['mail-complaints', 'Reputation.ComplaintRate', 0.001],
  ])('%s raises an alarm at the rate at which SES reviews an account', (name, MetricName, Threshold) => {
    expect(named(name)).toMatchObject({ Namespace: 'AWS/SES', MetricName, Threshold, Period: 3600 });
  });

  it('schedules-throttled covers both schedule groups and both kinds of throttling', () => {
    const read = listMetrics(named('schedules-throttled')).map((one) => String(at(one, 'Metric', 'MetricName')));
    expect(read.toSorted()).toEqual([
      ...['InvocationThrottleCount', 'InvocationThrottleCount'],
      ...['TargetErrorThrottledCount', 'TargetErrorThrottledCount'],
    ]);
  });
});

describe('a silent provider', () => {
  it.each(signingProviderNames)('%s raises an alarm when it sends fewer alerts than usual', (provider) => {
    const alarm = named(`${provider.replaceAll('_', '-')}-silent`);
    expect(alarm).toMatchObject({ ComparisonOperator: 'LessThanLowerThreshold', EvaluationPeriods: 3 });
    expect(alarm?.['Threshold']).toBeUndefined();
    expect(JSON.stringify(alarm?.['Metrics'])).toContain('"Expression":"FILL(alerts, 0)"');
    expect(listMetrics(alarm)).toEqual([
      expect.objectContaining({
        Metric: expect.objectContaining({ MetricName: 'AlertsReceived' }),
        Period: 3600,
        Stat: 'Sum',
      }),
    ]);
    const band = toList(alarm?.['Metrics']).find((one) => at(one, 'Id') === alarm?.['ThresholdMetricId']);
    expect(String(at(band, 'Expression'))).toMatch(/^ANOMALY_DETECTION_BAND\(\w+, 2\)$/);
  });
});

describe('the service levels', () => {
  it('have a fast and a slow burn-rate alarm each', () => {
    expect(serviceLevels.map(({ name }) => name)).toEqual(['first-webhook', 'answer-at-network', 'nothing-lost']);
    for (const { name } of serviceLevels) {
      for (const [speed, Period, Threshold] of [['fast', 3600, 14.4] as const, ['slow', 21600, 6] as const]) {
        const alarm = named(`slo-${name}-${speed}`);
        expect(alarm).toMatchObject({ Threshold, ComparisonOperator: 'GreaterThanOrEqualToThreshold' });
        for (const read of listMetrics(alarm)) expect(at(read, 'Period')).toBe(Period);
      }
    }
  });

  it('divide the share of bad events by the error budget', () => {
    expect(findExpression(named('slo-first-webhook-fast'))).toBe(
      'IF(FILL(late, 0) > 1, 100 * FILL(late, 0) / FILL(all, 0), 0)',
    );
    expect(findExpression(named('slo-answer-at-network-slow'))).toBe(
      'IF(FILL(late, 0) > 1, 100 * FILL(late, 0) / (FILL(late, 0) + FILL(timely, 0)), 0)',
    );
    expect(findExpression(named('slo-nothing-lost-fast'))).toBe(
      'IF(FILL(overdue, 0) > 1, 1000 * FILL(overdue, 0) / FILL(swept, 0), 0)',
    );
  });

  it('are computed from metrics that the service writes', () => {
    const sources = globSync('functions/**/*.ts')
      .map((file) => readFileSync(file, 'utf8'))
      .join();
    const read = serviceLevels.flatMap(({ metrics }) => Object.values(metrics).map(({ metric }) => metric));
    for (const metric of read) expect(sources).toContain(`'${metric}'`);
  });
});

describe('attacks', () => {
  const alarm = (name: string) => alarms.find(({ AlarmName }) => AlarmName === `forewarn-dev/${name}`);

  it.each([
    ['calls-unauthenticated', '401', 500],
    ['calls-forbidden', '403', 500],
    ['calls-throttled', '429', 100],
  ])('show in %s, by the status of what was refused', (name, status, Threshold) => {
    expect(alarm(name)).toMatchObject({
      Namespace: 'Forewarn',
      MetricName: 'RefusedCalls',
      Dimensions: expect.arrayContaining([
        { Name: 'Stage', Value: 'dev' },
        { Name: 'Status', Value: status },
      ]),
      Statistic: 'Sum',
      Period: 300,
      Threshold,
    });
  });

  it('are counted from the access log, stage by stage', () => {
    const { properties } = only('AWS::Logs::MetricFilter');
    expect(properties['FilterPattern']).toBe('{ ($.status = "401") || ($.status = "403") || ($.status = "429") }');
    expect(toList(properties['MetricTransformations'])).toEqual([
      expect.objectContaining({
        MetricNamespace: 'Forewarn',
        MetricName: 'RefusedCalls',
        MetricValue: '1',
        Dimensions: [
          { Key: 'Stage', Value: '$.stage' },
          { Key: 'Status', Value: '$.status' },
        ],
      }),
    ]);
    const format: unknown = JSON.parse(
      String(at(only('AWS::ApiGateway::Stage').properties, 'AccessLogSetting', 'Format')),
    );
    expect(format).toMatchObject({ stage: '$context.stage', status: '$context.status' });
    const group = ofType('AWS::Logs::LogGroup').find(({ id }) => id === at(properties['LogGroupName'], 'Ref'));
    expect(group?.properties['LogGroupName']).toBe('/aws/apigateway/forewarn-dev');
  });

  it('show in what the firewall blocks', () => {
    expect(alarm('firewall-blocking')).toMatchObject({
      Namespace: 'AWS/WAFV2',
      MetricName: 'BlockedRequests',
      Dimensions: expect.arrayContaining([{ Name: 'WebACL', Value: 'forewarn-dev' }]),
      Statistic: 'Sum',
      Threshold: 1000,
    });
  });

  it.each(['lookups-a', 'lookups-b'])('show in the first look-up that the firewall blocks: %s', (rule) => {
    expect(alarm(`firewall-blocking-${rule}`)).toMatchObject({
      ...{ MetricName: 'BlockedRequests', Threshold: 1, Statistic: 'Sum' },
      Dimensions: expect.arrayContaining([{ Name: 'Rule', Value: rule }]),
    });
  });

  it('show in usernames that are locked', () => {
    expect(alarm('sign-in-lockouts')).toMatchObject({
      Namespace: 'Forewarn',
      Dimensions: [{ Name: 'Stage', Value: 'dev' }],
      MetricName: 'SignInLockouts',
      Statistic: 'Sum',
      Threshold: 10,
    });
  });
});

describe('the promises', () => {
  it('tell when no sweep was completed in 13 hours, silence included', () => {
    expect(alarms.find(({ AlarmName }) => AlarmName === 'forewarn-dev/sweep-missed')).toMatchObject({
      Namespace: 'Forewarn',
      Dimensions: [{ Name: 'Stage', Value: 'dev' }],
      MetricName: 'SweepCompleted',
      Statistic: 'Sum',
      Period: 3600,
      EvaluationPeriods: 13,
      Threshold: 1,
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'breaching',
    });
  });

  it('tell when a processor contradicts the books', () => {
    expect(alarms.find(({ AlarmName }) => AlarmName === 'forewarn-dev/outcome-contradicted')).toMatchObject({
      Namespace: 'Forewarn',
      Dimensions: [{ Name: 'Stage', Value: 'dev' }],
      MetricName: 'ContradictedOutcomes',
      Statistic: 'Sum',
      Threshold: 1,
    });
  });

  it.each([
    ['lookups-slow', 'LookupMilliseconds', { ExtendedStatistic: 'p99' }, 500, 3],
    ['lookups-too-late', 'LookupsTooLate', { Statistic: 'Sum' }, 5, 1],
    ['lookups-not-found', 'LookupsNotFound', { Statistic: 'Average' }, 0.9, 3],
    ['lookups-in-vain', 'LookupsInVain', { Statistic: 'Sum' }, 1, 1],
    ['lookups-not-recorded', 'LookupsNotRecorded', { Statistic: 'Sum' }, 1, 1],
  ])('tell of look-ups of orders: %s', (name, MetricName, statistic, Threshold, EvaluationPeriods) => {
    expect(alarms.find(({ AlarmName }) => AlarmName === `forewarn-dev/${name}`)).toMatchObject({
      Namespace: 'Forewarn',
      Dimensions: [{ Name: 'Stage', Value: 'dev' }],
      ...{ MetricName, ...statistic, Threshold, EvaluationPeriods },
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    });
  });

  it('raise an alarm when a delivery has been pending for an hour', () => {
    expect(alarms.find(({ AlarmName }) => AlarmName === 'forewarn-dev/oldest-pending-delivery')).toMatchObject({
      Namespace: 'Forewarn',
      Dimensions: [{ Name: 'Stage', Value: 'dev' }],
      MetricName: 'OldestPendingDeliverySeconds',
      Statistic: 'Maximum',
      Threshold: 3600,
    });
  });
});

it('notifies the operators through an encrypted topic when an alarm is raised or cleared', () => {
  const topic = only('AWS::SNS::Topic');
  expect(topic.properties['KmsMasterKeyId']).toEqual({ 'Fn::GetAtt': [only('AWS::KMS::Key').id, 'Arn'] });
  expect(only('AWS::SNS::Subscription').properties).toMatchObject({ Protocol: 'email', Endpoint: 'ops@shop.example' });
  for (const { AlarmActions, OKActions } of alarms) {
    expect([AlarmActions, OKActions]).toEqual([[{ Ref: topic.id }], [{ Ref: topic.id }]]);
  }
});

it('lets alarms of this account speak to the topic, as its policy is no longer the default one', () => {
  const statements = toList(at(only('AWS::SNS::TopicPolicy').properties, 'PolicyDocument', 'Statement'));
  expect(statements.find((one) => at(one, 'Effect') === 'Allow')).toMatchObject({
    Action: 'sns:Publish',
    Principal: { Service: 'cloudwatch.amazonaws.com' },
    Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
  });
});

it('lets alarms use the key of the topic', () => {
  const statements = toList(at(only('AWS::KMS::Key').properties, 'KeyPolicy', 'Statement'));
  const forAlarms = statements.find((one) => at(one, 'Principal', 'Service') === 'cloudwatch.amazonaws.com');
  expect(at(forAlarms, 'Action')).toEqual(['kms:Decrypt', 'kms:GenerateDataKey']);
});

it('has one dashboard', () => {
  expect(only('AWS::CloudWatch::Dashboard').properties['DashboardName']).toBe('forewarn-dev');
});

describe('the runbook', () => {
  const names = everyAlarm.map(({ AlarmName }) => String(AlarmName).replace('forewarn-dev/', ''));

  it.each(names)('says what %s means and what to do', (name) => expect(runbook).toContain(`\`${name}\``));

  it('names the logs of workers as they are deployed, wherever the code is by now', () => {
    const deployed = workers.map((worker) => deployedName(worker));
    const said = workers.flatMap(({ area, name }) =>
      [...runbook.matchAll(new RegExp(`\`([a-z]+-${name})\``, 'g'))].map(([, log]) => log ?? area),
    );
    expect(said.length).toBeGreaterThan(10);
    expect(said.filter((log) => !deployed.includes(log) && !log.startsWith('release-'))).toEqual([]);
  });

  it('knows no alarm that is not there', () => {
    const [, section = ''] = runbook.split('## Alarms');
    const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| (`[^|]+`) \|/gm)];
    const told = rows.flatMap(([, cell = '']) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, name]) => name));
    expect([...told].sort()).toEqual([...names].sort());
  });
});

it('the runbook has an entry for each secret', () => {
  for (const { properties } of ofType('AWS::SecretsManager::Secret')) {
    const name = String(properties['Name']).replace('forewarn-dev/', '');
    expect(runbook).toContain(`\`forewarn-<stage>/${name}\``);
  }
});
