import { Duration } from 'aws-cdk-lib';
import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { Alarm, AlarmStatusWidget, Dashboard, GraphWidget, type IMetric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { Hop } from './hop.ts';
import type { Resources } from './policy.ts';
import { queueNames } from './queues.ts';
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
export const createDashboard = (scope: Construct, { api, hops, resources, alarmNames }: DashboardProps): void => {
  const { names, queues, settings } = resources;
  const { stage } = settings;
  const all = queueNames.map((name) => queues[name]);
  const functions = hops.map(({ worker, handler }) => ({ name: worker.name, handler }));
  new Dashboard(scope, 'Dashboard', {
    dashboardName: names.prefix,
    defaultInterval: Duration.hours(24),
    widgets: [
      alarmStatus(scope, alarmNames),
      [
        graph('Calls', [
          api.deploymentStage.metricCount({ statistic: Stats.SUM, period }),
          api.deploymentStage.metricClientError({ statistic: Stats.SUM, period }),
          api.deploymentStage.metricServerError({ statistic: Stats.SUM, period }),
        ]),
        graph('Answer time', [
          api.deploymentStage.metricLatency({ statistic: Stats.p(50), period }),
          api.deploymentStage.metricLatency({ statistic: Stats.p(99), period }),
        ]),
        graph('Firewall', [blockedRequests(names.prefix, period)]),
      ],
      [
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
      ],
      [
        graph(
          'Errors',
          functions.map(({ name, handler }) => handler.metricErrors({ label: name, period })),
        ),
        graph(
          'Duration',
          functions.map(({ name, handler }) => handler.metricDuration({ label: name, period })),
        ),
        graph('Promises', [
          serviceMetric(stage, 'OldestPendingDeliverySeconds', Stats.MAXIMUM, Duration.hours(1)),
          serviceMetric(stage, 'SweepCompleted', Stats.SUM, Duration.hours(1)),
        ]),
      ],
    ],
  });
};

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
