import { Duration } from 'aws-cdk-lib';
import { ComparisonOperator, type IMetric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Resources } from './policy.ts';
import { serviceMetric } from './service-metric.ts';

/** An alarm's description for the operator on call; `docs/runbook.md` has an entry for each. */
export type Watch = {
  name: string;
  description: string;
  metric: IMetric;
  evaluationPeriods?: number;
  /** The number of evaluation periods that must breach; absent: all. */
  datapoints?: number;
  missing?: TreatMissingData;
} & (
  | { threshold: number; operator?: ComparisonOperator }
  /** Raised below the band of values that CloudWatch expects. */
  | { below: { standardDeviations: number } }
);

/** Raises an alarm as soon as the service has counted one within five minutes. */
const anyOf = (stage: string, metric: string, { name, description }: Pick<Watch, 'name' | 'description'>): Watch => ({
  name,
  description,
  metric: serviceMetric(stage, metric, Stats.SUM, Duration.minutes(5)),
  threshold: 1,
});

/** Providers wait for about two seconds, and their cardholders with them. */
export const lookupWatches = ({ settings: { stage } }: Resources): Watch[] => [
  {
    name: 'lookups-slow',
    description: "One in a hundred of providers' look-ups of orders takes longer than half a second",
    metric: serviceMetric(stage, 'LookupMilliseconds', 'p99', Duration.minutes(5)),
    threshold: 500,
    evaluationPeriods: 3,
  },
  {
    name: 'lookups-too-late',
    description: "A provider's look-up was answered with nothing as its time was up",
    metric: serviceMetric(stage, 'LookupsTooLate', Stats.SUM, Duration.minutes(5)),
    threshold: 5,
  },
  {
    name: 'lookups-not-found',
    description:
      "Nine in ten of providers' look-ups have found nothing for three hours: merchants' orders may not arrive",
    metric: serviceMetric(stage, 'LookupsNotFound', Stats.AVERAGE, Duration.hours(1)),
    threshold: 0.9,
    evaluationPeriods: 3,
  },
  anyOf(stage, 'LookupsInVain', {
    name: 'lookups-in-vain',
    description:
      "Within five minutes, a hundred look-ups of one card's ends found nothing: somebody may be trying amounts out",
  }),
  anyOf(stage, 'LookupsNotRecorded', {
    name: 'lookups-not-recorded',
    description: 'Look-ups were answered and could not be recorded',
  }),
];

const outcomeWatches = (stage: string): Watch[] => [
  anyOf(stage, 'RefusedOutcomes', {
    name: 'outcome-refused',
    description: 'An alert network has permanently refused a final answer: the issuer has not received it',
  }),
  anyOf(stage, 'ExpiredOutcomes', {
    name: 'outcome-expired',
    description: 'An alert network has not taken a final answer within 72 hours: it was given up',
  }),
  anyOf(stage, 'RefundsFailedAfterAnswer', {
    name: 'refund-failed-after-answer',
    description: 'A refund came to nothing after an alert network was told that it was made',
  }),
  anyOf(stage, 'LateOutcomes', {
    name: 'outcome-late',
    description: 'An alert network does not have a final answer two hours before the deadline',
  }),
  anyOf(stage, 'OutcomeConnectionFailures', {
    name: 'outcome-connection-failing',
    description: 'An alert network refuses our credentials, or its connection is not set up rightly',
  }),
];

/** The alarms about promises of the service that no single hop shows. */
export const promiseWatches = ({ settings: { stage } }: Resources): Watch[] => [
  anyOf(stage, 'MessagesQuarantined', {
    name: 'messages-quarantined',
    description: 'A provider signed a message that could not be read: it waits in the quarantine for a person',
  }),
  {
    name: 'alert-pulls-failing',
    description: 'Alerts could not be fetched from a provider, or not stored, for ten minutes',
    metric: serviceMetric(stage, 'AlertPullsFailed', Stats.SUM, Duration.minutes(5)),
    threshold: 3,
    evaluationPeriods: 2,
  },
  {
    // Measured by each sweep before it sends: what is due earlier than its slot has been left by all that came before.
    name: 'oldest-pending-delivery',
    description: 'A sweep found a delivery whose attempt had been due for over an hour',
    metric: serviceMetric(stage, 'OldestPendingDeliverySeconds', Stats.MAXIMUM, Duration.hours(1)),
    threshold: Duration.hours(1).toSeconds(),
  },
  anyOf(stage, 'ContradictedOutcomes', {
    name: 'outcome-contradicted',
    description:
      'A processor says the opposite of what the books hold to be final: money may be where no book says it is',
  }),
  anyOf(stage, 'UnknownDisputeStates', {
    name: 'dispute-state-unknown',
    description:
      'A processor reports a dispute or charge in a state or form that this release does not know: what was known last is kept',
  }),
  anyOf(stage, 'UnknownCurrencies', {
    name: 'processor-currency-unknown',
    description:
      'A processor reports an amount in a currency that its table lacks: the charge, dispute or balance is left out',
  }),
  anyOf(stage, 'ChargebacksWithoutRate', {
    name: 'chargeback-without-rate',
    description:
      'A chargeback is in another currency than its payment and no rate is set: the whole payment is booked for it',
  }),
  ...outcomeWatches(stage),
  {
    name: 'sweep-missed',
    description: 'No sweep was completed within 13 hours, though one is due every 12',
    metric: serviceMetric(stage, 'SweepCompleted', Stats.SUM, Duration.hours(1)),
    threshold: 1,
    evaluationPeriods: 13,
    operator: ComparisonOperator.LESS_THAN_THRESHOLD,
    missing: TreatMissingData.BREACHING,
  },
];
