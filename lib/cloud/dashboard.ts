import { Duration } from 'aws-cdk-lib';
import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { Alarm, AlarmStatusWidget, Dashboard, GraphWidget, type IMetric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { signingProviderNames } from '#disputes/providers/providers.ts';
import type { Resources } from './policy.ts';
import { serviceMetric } from './service-metric.ts';

export type DashboardProps = {
  api: SpecRestApi;
  resources: Resources;
  alarmNames: readonly string[];
};

const height = 6;
const period = Duration.minutes(5);

/**
 * One page for the operator on call: which alarms are on, whether alerts come in and answers go out, and what waits. What one
 * function does is in its own page of the console. With at most 50 metrics it is in CloudWatch's free tier.
 */
export const createDashboard = (scope: Construct, props: DashboardProps): void => {
  new Dashboard(scope, 'Dashboard', {
    dashboardName: props.resources.names.prefix,
    defaultInterval: Duration.hours(24),
    widgets: [alarmStatus(scope, props.alarmNames), ofAlerts(props), ofCalls(props), ofWork(props)],
  });
};

const ofAlerts = ({ resources: { settings } }: DashboardProps): GraphWidget[] => {
  const byProvider = (metric: string, statistic: string): IMetric[] =>
    signingProviderNames.map((Provider) =>
      serviceMetric(settings.stage, metric, statistic, Duration.hours(1), { Provider }).with({ label: Provider }),
    );
  return [
    graph('Alerts received', byProvider('AlertsReceived', Stats.SUM)),
    graph('Minutes to the answer', byProvider('MinutesToAnswer', Stats.p(50))),
    graph('Seconds to the first webhook', [
      serviceMetric(settings.stage, 'SecondsToFirstWebhook', Stats.p(50), period).with({ label: 'p50' }),
      serviceMetric(settings.stage, 'SecondsToFirstWebhook', Stats.p(99), period).with({ label: 'p99' }),
    ]),
  ];
};

const ofCalls = ({ api: { deploymentStage } }: DashboardProps): GraphWidget[] => [
  graph('Calls', [
    deploymentStage.metricCount({ statistic: Stats.SUM, period }),
    deploymentStage.metricClientError({ statistic: Stats.SUM, period }),
    deploymentStage.metricServerError({ statistic: Stats.SUM, period }),
  ]),
  graph('Response time', [
    deploymentStage.metricLatency({ statistic: Stats.p(50), period }),
    deploymentStage.metricLatency({ statistic: Stats.p(99), period }),
  ]),
];

const ofWork = ({ resources: { queues, settings } }: DashboardProps): GraphWidget[] => [
  graph(
    'Oldest message of each queue',
    [...queues].map(([name, { queue }]) =>
      queue.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM, period, label: name }),
    ),
  ),
  graph('Sweeps', [
    serviceMetric(settings.stage, 'DueRowsSwept', Stats.SUM, Duration.hours(1)),
    serviceMetric(settings.stage, 'DueRowsOverdue', Stats.SUM, Duration.hours(1)),
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
