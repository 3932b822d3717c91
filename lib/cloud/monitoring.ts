import { Aws, Duration, NestedStack } from 'aws-cdk-lib';
import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  Alarm,
  AnomalyDetectionAlarm,
  ComparisonOperator,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Worker } from '#core/platform/operation/worker.ts';
import { bundleName } from '#lib/build/bundle.ts';
import type { Hop } from './fed-worker.ts';
import { lookupPlaces } from './firewall.ts';
import { limitWatches } from './limit-watches.ts';
import { pascal } from './names.ts';
import type { Resources } from './policy.ts';
import { lookupWatches, promiseWatches, type Watch } from './promise-watches.ts';
import { serviceLevelWatches } from './service-level-watches.ts';
import { blockedRequests, serviceMetric } from './service-metric.ts';
import { silenceWatches } from './silence-watches.ts';

export type MonitoringProps = { api: SpecRestApi; accessLogs: ILogGroup; hops: readonly Hop[]; resources: Resources };

/**
 * An alarm for every hop between functions and for the promises that no single hop shows, told by e-mail. The alarms are in a
 * nested stack; the topic is outside of it, as its subscribers have confirmed it.
 */
export class MonitoringStack extends NestedStack {
  readonly alarmNames: readonly string[];

  constructor(scope: Construct, { api, accessLogs, hops, resources }: MonitoringProps) {
    super(scope, 'Monitoring', { description: `${resources.names.prefix}: the alarms` });
    const action = new SnsAction(createTopic(scope, resources));
    countRefusals(this, accessLogs);
    const watches = [
      ...queueWatches(resources),
      ...hops.flatMap(hopWatches),
      ...scheduleWatches(resources),
      ...apiWatches(api),
      ...promiseWatches(resources),
      ...lookupWatches(resources),
      ...attackWatches(resources),
      ...limitWatches(resources),
      ...silenceWatches(resources),
      ...serviceLevelWatches(resources),
    ];
    for (const watch of watches) {
      const alarm = createAlarm(this, watch, resources);
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
    }
    this.alarmNames = watches.map(({ name }) => resources.names.alarmOf(name));
  }
}

const createTopic = (scope: Construct, { names, key, settings }: Resources): Topic => {
  const topic = new Topic(scope, 'AlarmTopic', {
    topicName: names.of('alarms'),
    masterKey: key,
    enforceSSL: true,
  });
  // A policy of its own takes the place of the default one, which let the account's alarms in.
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: 'Alarms',
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
  );
  if (settings.operationsEmail) topic.addSubscription(new EmailSubscription(settings.operationsEmail));
  return topic;
};

const createAlarm = (scope: Construct, watch: Watch, { names }: Resources): Alarm => {
  const id = `${pascal(watch.name)}Alarm`;
  const common = {
    alarmName: names.alarmOf(watch.name),
    alarmDescription: watch.description,
    metric: watch.metric,
    evaluationPeriods: watch.evaluationPeriods ?? 1,
    ...(watch.datapoints !== undefined && { datapointsToAlarm: watch.datapoints }),
    treatMissingData: watch.missing ?? TreatMissingData.NOT_BREACHING,
  };
  if ('below' in watch) {
    return new AnomalyDetectionAlarm(scope, id, {
      ...common,
      stdDevs: watch.below.standardDeviations,
      comparisonOperator: ComparisonOperator.LESS_THAN_LOWER_THRESHOLD,
    });
  }
  return new Alarm(scope, id, {
    ...common,
    threshold: watch.threshold,
    comparisonOperator: watch.operator ?? ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  });
};

const fiveMinutes = { period: Duration.minutes(5) };

const deadLetterWatch = (name: string, queue: Queue): Watch => ({
  name: `${name}-dead-letters`,
  description: `Messages that were tried in vain lie in ${name}-dead-letters`,
  metric: queue.metricApproximateNumberOfMessagesVisible({ ...fiveMinutes, statistic: Stats.MAXIMUM }),
  threshold: 1,
});

const queueWatches = ({ queues, schedules }: Resources): Watch[] => [
  ...[...queues].flatMap(([name, { queue, deadLetters }]): Watch[] => [
    deadLetterWatch(name, deadLetters),
    {
      name: `${name}-waiting`,
      description: `The oldest message of the ${name} queue has waited for 15 minutes`,
      metric: queue.metricApproximateAgeOfOldestMessage({ ...fiveMinutes, statistic: Stats.MAXIMUM }),
      threshold: Duration.minutes(15).toSeconds(),
    },
  ]),
  deadLetterWatch('schedule', schedules.deadLetters),
];

const hopWatches = ({ worker, handler, failures }: Hop): Watch[] => {
  const functionName = bundleName(worker);
  const throttled: Watch = {
    name: `${worker.name}-throttled`,
    description: `Lambda holds back ${functionName}: the account's concurrency is used up`,
    metric: handler.metricThrottles({ ...fiveMinutes, statistic: Stats.SUM }),
    threshold: 1,
    evaluationPeriods: 3,
  };
  // It throws for every wrong token, as the gateway asks of it; what breaks in it shows as the gateway's 5xx.
  if ('authorizer' in worker.on) return [throttled];
  const failing: Watch = {
    name: `${worker.name}-failing`,
    description: `${functionName} ended in errors`,
    metric: handler.metricErrors({ ...fiveMinutes, statistic: Stats.SUM }),
    threshold: 1,
  };
  return [failing, throttled, ...(failures ? streamWatches(worker, handler, failures) : [])];
};

const streamWatches = (worker: Worker, handler: IFunction, failures: Queue): Watch[] => [
  deadLetterWatch(worker.name, failures),
  {
    name: `${worker.name}-behind`,
    description: `${bundleName(worker)} is five minutes behind the table; after 24 hours records are lost`,
    metric: handler.metric('IteratorAge', { ...fiveMinutes, statistic: Stats.MAXIMUM }),
    threshold: Duration.minutes(5).toMilliseconds(),
  },
];

const scheduleWatches = ({ schedules }: Resources): Watch[] =>
  [
    ['sweep', schedules.sweepGroupName],
    ['deadline', schedules.deadlineGroupName],
    ...(schedules.pullGroupName === undefined ? [] : [['pull', schedules.pullGroupName]]),
  ].map(([name, ScheduleGroup]) => ({
    name: `${name}-schedule-failing`,
    description: `EventBridge Scheduler could not put a message into the ${name} queue`,
    metric: new Metric({
      namespace: 'AWS/Scheduler',
      metricName: 'TargetErrorCount',
      dimensionsMap: { ScheduleGroup: ScheduleGroup ?? '' },
      statistic: Stats.SUM,
      ...fiveMinutes,
    }),
    threshold: 1,
  }));

/** One 5xx notifies no one: the caller retries. Several at once do, and a few that keep coming. */
const apiWatches = (api: SpecRestApi): Watch[] => {
  const metric = api.deploymentStage.metricServerError({ ...fiveMinutes, statistic: Stats.SUM });
  return [
    {
      name: 'api-failing',
      description: 'The gateway answered five calls with 5xx within five minutes: a fault of ours',
      metric,
      threshold: 5,
    },
    {
      name: 'api-failing-repeatedly',
      description: 'The gateway answered with 5xx in three of six successive periods of five minutes',
      metric,
      threshold: 1,
      evaluationPeriods: 6,
      datapoints: 3,
    },
  ];
};

/** Refusals by status that may be attacks, and how many in five minutes are more than a caller's mistakes. */
const refusals = [
  { name: 'calls-unauthenticated', status: '401', threshold: 500, what: 'without a token or signature that is right' },
  { name: 'calls-forbidden', status: '403', threshold: 500, what: 'that the caller may not make' },
  { name: 'calls-throttled', status: '429', threshold: 100, what: 'that came too often' },
] as const;

/** Makes a metric from the access log, which has the status of every call, even if no function saw it. */
const countRefusals = (scope: Construct, accessLogs: ILogGroup): void => {
  new MetricFilter(scope, 'Refusals', {
    logGroup: accessLogs,
    filterPattern: FilterPattern.any(
      ...refusals.map(({ status }) => FilterPattern.stringValue('$.status', '=', status)),
    ),
    metricNamespace: 'Forewarn',
    metricName: 'RefusedCalls',
    metricValue: '1',
    dimensions: { Stage: '$.stage', Status: '$.status' },
  });
};

const attackWatches = ({ settings: { stage }, names }: Resources): Watch[] => [
  ...refusals.map(({ name, status, threshold, what }) => ({
    name,
    description: `${threshold} calls within five minutes were refused with ${status}: calls ${what}`,
    metric: serviceMetric(stage, 'RefusedCalls', Stats.SUM, fiveMinutes.period, { Status: status }),
    threshold,
  })),
  {
    name: 'firewall-blocking',
    description: 'The firewall blocked a thousand requests within five minutes',
    metric: blockedRequests(names.prefix, fiveMinutes.period),
    threshold: 1000,
  },
  ...lookupPlaces.map(({ name }) => ({
    name: `firewall-blocking-${name}`,
    description: `The firewall blocked a look-up of orders (${name}): one address sent more than fifty a second`,
    metric: blockedRequests(names.prefix, fiveMinutes.period, name),
    threshold: 1,
  })),
  {
    name: 'sign-in-lockouts',
    description:
      'Ten usernames were locked within five minutes, after five failures each: an attacker may be guessing passwords',
    metric: serviceMetric(stage, 'SignInLockouts', Stats.SUM, fiveMinutes.period),
    threshold: 10,
  },
];
