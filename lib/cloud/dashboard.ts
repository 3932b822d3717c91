import { Duration } from 'aws-cdk-lib';
import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { Alarm, AlarmStatusWidget, Dashboard, GraphWidget, type IMetric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { Hop } from './hop.ts';
import type { Resources } from './policy.ts';
import { blockedRequests, serviceMetric } from './service-metric.ts';

export type DashboardProps = {
  api: SpecRestApi;
  hops: readonly Hop[];
  resources: Resources;
  alarmNames: readonly string[];
};

const height = 6;
const period = Duration.minutes(5);

/** One page that shows whether alerts come in, go out, and what waits. */
export const createDashboard = (scope: Construct, props: DashboardProps): void => {
  new Dashboard(scope, 'Dashboard', {
    dashboardName: props.resources.names.prefix,
    defaultInterval: Duration.hours(24),
    widgets: [alarmStatus(scope, props.alarmNames), ofCalls(props), ofQueues(props), ofFunctions(props)],
  });
};

const ofCalls = ({ api: { deploymentStage }, resources }: DashboardProps): GraphWidget[] => [
  graph('Calls', [
    deploymentStage.metricCount({ statistic: Stats.SUM, period }),
    deploymentStage.metricClientError({ statistic: Stats.SUM, period }),
    deploymentStage.metricServerError({ statistic: Stats.SUM, period }),
  ]),
  graph('Answer time', [
    deploymentStage.metricLatency({ statistic: Stats.p(50), period }),
    deploymentStage.metricLatency({ statistic: Stats.p(99), period }),
  ]),
  graph('Firewall', [blockedRequests(resources.names.prefix, period)]),
];

const ofQueues = ({ resources: { queues } }: DashboardProps): GraphWidget[] => {
  const all = [...queues.values()];
  return [
    graph(
      'Waiting messages',
      all.map(({ queue }) => queue.metricApproximateNumberOfMessagesVisible({ period })),
    ),
    graph(
      'Oldest message',
      all.map(({ queue }) => queue.metricApproximateAgeOfOldestMessage({ period })),
    ),
    graph(
      'Dead letters',
      all.map(({ deadLetters }) => deadLetters.metricApproximateNumberOfMessagesVisible({ period })),
    ),
  ];
};

const ofFunctions = ({ hops, resources: { settings } }: DashboardProps): GraphWidget[] => [
  graph(
    'Errors',
    hops.map(({ worker, handler }) => handler.metricErrors({ label: worker.name, period })),
  ),
  graph(
    'Duration',
    hops.map(({ worker, handler }) => handler.metricDuration({ label: worker.name, period })),
  ),
  graph('Promises', [
    serviceMetric(settings.stage, 'OldestPendingDeliverySeconds', Stats.MAXIMUM, Duration.hours(1)),
    serviceMetric(settings.stage, 'SweepCompleted', Stats.SUM, Duration.hours(1)),
  ]),
];

/** A widget shows no more than a hundred alarms. */
const alarmsPerWidget = 100;

const alarmStatus = (scope: Construct, alarmNames: readonly string[]): AlarmStatusWidget[] => {
  const alarms = alarmNames.map((name) => Alarm.fromAlarmName(scope, `Shown/${name}`, name));
  const parts = Math.ceil(alarms.length / alarmsPerWidget);
  return Array.from(
    { length: parts },
    (_, part) =>
      new AlarmStatusWidget({
        title: parts > 1 ? `Alarms ${part + 1}` : 'Alarms',
        alarms: alarms.slice(part * alarmsPerWidget, (part + 1) * alarmsPerWidget),
        width: 24,
        height: 4,
      }),
  );
};

const graph = (title: string, left: IMetric[]): GraphWidget => new GraphWidget({ title, left, width: 8, height });
