import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Resources } from './policy.ts';
import type { Watch } from './promise-watches.ts';
import { serviceMetric } from './service-metric.ts';

/** A promise as a share of events. `bad` and `total` are expressions over metrics of the service, by the names under which they are read. */
type ServiceLevel = {
  name: string;
  promise: string;
  /** The share of events that must be good over 30 days. */
  objective: number;
  bad: string;
  total: string;
  metrics: Readonly<Record<string, { metric: string; statistic: string }>>;
};

/** The three service levels. `docs/operations.md` explains them. */
export const serviceLevels: readonly ServiceLevel[] = [
  {
    name: 'first-webhook',
    promise: 'The first webhook of an alert is attempted within 60 seconds of receipt',
    objective: 0.99,
    bad: 'FILL(late, 0)',
    total: 'FILL(all, 0)',
    metrics: {
      late: { metric: 'FirstWebhooksLate', statistic: Stats.SUM },
      all: { metric: 'FirstWebhooksLate', statistic: Stats.SAMPLE_COUNT },
    },
  },
  {
    name: 'answer-at-network',
    promise: 'A final answer is at its network two hours before its deadline',
    objective: 0.99,
    bad: 'FILL(late, 0)',
    total: '(FILL(late, 0) + FILL(timely, 0))',
    metrics: {
      late: { metric: 'LateOutcomes', statistic: Stats.SUM },
      timely: { metric: 'OutcomesOnTime', statistic: Stats.SUM },
    },
  },
  {
    name: 'nothing-lost',
    promise: 'No row stays due for longer than one retry slot of 12 hours',
    objective: 0.999,
    bad: 'FILL(overdue, 0)',
    total: 'FILL(swept, 0)',
    metrics: {
      overdue: { metric: 'DueRowsOverdue', statistic: Stats.SUM },
      swept: { metric: 'DueRowsSwept', statistic: Stats.SUM },
    },
  },
];

/**
 * The rates at which the error budget of 30 days is spent: at 1 it lasts exactly 30 days. 14.4 spends 2 % of it in an hour, 6 spends 5 % in
 * six hours.
 * @see https://sre.google/workbook/alerting-on-slos/
 */
const windows = [
  { speed: 'fast', period: Duration.hours(1), burnRate: 14.4 },
  { speed: 'slow', period: Duration.hours(6), burnRate: 6 },
] as const;

/** Events that may be bad in a window without an alarm: one event of a quiet hour says nothing about a share. */
const toleratedEvents = 1;

/** Two burn-rate alarms for each service level. */
export const serviceLevelWatches = ({ settings: { stage } }: Resources): Watch[] =>
  serviceLevels.flatMap((level) =>
    windows.map(({ speed, period, burnRate }) => ({
      name: `slo-${level.name}-${speed}`,
      description: `${level.promise}: missed so often that the error budget of 30 days is spent ${burnRate} times too fast`,
      metric: burnRateOf(level, stage, period),
      threshold: burnRate,
    })),
  );

const burnRateOf = ({ bad, total, objective, metrics }: ServiceLevel, stage: string, period: Duration): IMetric =>
  new MathExpression({
    expression: `IF(${bad} > ${toleratedEvents}, ${Math.round(1 / (1 - objective))} * ${bad} / ${total}, 0)`,
    usingMetrics: Object.fromEntries(
      Object.entries(metrics).map(([id, { metric, statistic }]) => [
        id,
        serviceMetric(stage, metric, statistic, period),
      ]),
    ),
    label: 'Burn rate',
    period,
  });
