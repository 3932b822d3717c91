import { Aws, type Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';

/** One of the metrics that a stage writes into its log lines (see `metric` in functions/core/platform/log/log.ts) or that are made from them. */
export const serviceMetric = (
  Stage: string,
  metricName: string,
  statistic: string,
  period: Duration,
  others: Readonly<Record<string, string>> = {},
): Metric => new Metric({ namespace: 'Forewarn', dimensionsMap: { Stage, ...others }, metricName, statistic, period });

/** Returns the number of requests that the firewall of that name has blocked, by one of its rules or by all. */
export const blockedRequests = (WebACL: string, period: Duration, Rule = 'ALL'): Metric =>
  new Metric({
    namespace: 'AWS/WAFV2',
    metricName: 'BlockedRequests',
    dimensionsMap: { WebACL, Rule, Region: Aws.REGION },
    statistic: Stats.SUM,
    period,
  });
