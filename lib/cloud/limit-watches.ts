import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Resources } from './policy.ts';
import type { Watch } from './promise-watches.ts';

const period = Duration.minutes(5);

/** Calls to DynamoDB that the service makes. A transaction is one call, whatever its parts. */
const tableCalls = [
  'GetItem',
  'BatchGetItem',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'Query',
  'TransactWriteItems',
  'TransactGetItems',
] as const;

/** The alarms about limits and refusals of AWS without which the service cannot work. */
export const limitWatches = (resources: Resources): Watch[] => [
  ...tableWatches(resources),
  ...accountWatches(resources),
  ...reputationWatches,
  ...scheduleThrottleWatches(resources),
];

/**
 * A throttled index throttles the writes of its table, so the calls show both.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html
 */
const tableWatches = ({ table: { tableName: TableName } }: Resources): Watch[] => [
  {
    name: 'table-throttled',
    description: 'DynamoDB throttles calls to the table or one of its indexes',
    metric: sumMetrics(
      tableCalls.map((Operation) => awsMetric('AWS/DynamoDB', 'ThrottledRequests', { TableName, Operation })),
      'Throttled calls',
    ),
    threshold: 10,
  },
  {
    name: 'table-failing',
    description: 'DynamoDB answered calls to the table with 500: a fault of AWS',
    metric: sumMetrics(
      tableCalls.map((Operation) => awsMetric('AWS/DynamoDB', 'SystemErrors', { TableName, Operation })),
      'Failed calls',
    ),
    threshold: 5,
  },
];

/** The part of the account's concurrency that may be in use before the operator hears of it. */
const concurrencyShare = 0.8;

/** @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-concurrency.html#claimed-account-concurrency */
const accountWatches = ({ settings: { lambdaConcurrency } }: Resources): Watch[] => [
  {
    name: 'concurrency-nearly-used',
    description: `Reservations and running functions of the account use ${concurrencyShare * 100} % of its ${lambdaConcurrency} concurrent executions`,
    metric: awsMetric('AWS/Lambda', 'ClaimedAccountConcurrency', {}, Stats.MAXIMUM),
    threshold: Math.floor(lambdaConcurrency * concurrencyShare),
    evaluationPeriods: 2,
  },
];

/**
 * SES reviews an account at 5 % bounces or 0.1 % complaints, and later pauses it. These rates are of the account, over a recent number of mails.
 * @see https://docs.aws.amazon.com/ses/latest/dg/reputationdashboard-cloudwatch-alarm.html
 */
const reputationWatches: readonly Watch[] = [
  ['mail-bouncing', 'Reputation.BounceRate', 0.05, '5 %', 'bounce'] as const,
  ['mail-complaints', 'Reputation.ComplaintRate', 0.001, '0.1 %', 'are reported as spam'] as const,
].map(([name, metricName, threshold, share, what]) => ({
  name,
  description: `${share} of the account's e-mails ${what}: SES reviews such an account and may pause its sending`,
  metric: new Metric({
    namespace: 'AWS/SES',
    metricName,
    statistic: Stats.AVERAGE,
    period: Duration.hours(1),
  }),
  threshold,
}));

/** @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/monitoring-cloudwatch.html */
const scheduleThrottleWatches = ({ schedules }: Resources): Watch[] => [
  {
    name: 'schedules-throttled',
    description: 'EventBridge Scheduler throttles the schedules, or SQS throttles what they send',
    metric: sumMetrics(
      [schedules.sweepGroupName, schedules.deadlineGroupName].flatMap((ScheduleGroup) =>
        ['InvocationThrottleCount', 'TargetErrorThrottledCount'].map((name) =>
          awsMetric('AWS/Scheduler', name, { ScheduleGroup }),
        ),
      ),
      'Throttled schedules',
    ),
    threshold: 1,
  },
];

const awsMetric = (
  namespace: string,
  metricName: string,
  dimensionsMap: Readonly<Record<string, string>>,
  statistic: string = Stats.SUM,
): Metric => new Metric({ namespace, metricName, dimensionsMap, statistic, period });

/** The sum of up to ten metrics, as many as an alarm may read. A metric without data counts as 0. */
const sumMetrics = (metrics: readonly IMetric[], label: string): IMetric => {
  const byId = Object.fromEntries(metrics.map((one, index) => [`m${index}`, one]));
  const expression = Object.keys(byId)
    .map((id) => `FILL(${id}, 0)`)
    .join(' + ');
  return new MathExpression({ expression, usingMetrics: byId, label, period });
};
