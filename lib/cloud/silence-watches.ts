import { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { signingProviderNames } from '#disputes/providers/providers.ts';
import type { Resources } from './policy.ts';
import type { Watch } from './promise-watches.ts';
import { serviceMetric } from './service-metric.ts';

/** The width of CloudWatch's band of expected values, in standard deviations. */
const standardDeviations = 2;

/**
 * A provider from which fewer alerts arrive than at the same hours of the last two weeks, three hours in a row. Of a provider that sends
 * little, CloudWatch also expects hours without alerts, so that its silence raises no alarm.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Anomaly_Detection.html#anomaly_detection_on_metric_math
 */
export const silenceWatches = ({ settings: { stage } }: Resources): Watch[] =>
  signingProviderNames.map((Provider) => ({
    name: `${Provider.replaceAll('_', '-')}-silent`,
    description: `Fewer alerts of ${Provider} have arrived for three hours than usual at this time`,
    metric: new MathExpression({
      expression: 'FILL(alerts, 0)',
      usingMetrics: {
        alerts: serviceMetric(stage, 'AlertsReceived', Stats.SUM, Duration.hours(1), { Provider }),
      },
      label: `Alerts of ${Provider}`,
      period: Duration.hours(1),
    }),
    below: { standardDeviations },
    evaluationPeriods: 3,
  }));
