import type { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';

/** One of the metrics that the functions of a stage write into their log lines (see `metric` in functions/core/log.ts). */
export const serviceMetric = (Stage: string, metricName: string, statistic: string, period: Duration): Metric =>
  new Metric({ namespace: 'Forewarn', dimensionsMap: { Stage }, metricName, statistic, period });
