import { formatAmount, parseAmount } from '#core/kernel/money/money.ts';
import type { FactSource } from '#disputes/rules/decide/alert-facts.ts';
import { type PastAlert, sumTotals, type Would } from '#disputes/rules/dry-run/dry-run.ts';
import { cameUpAt, isFraud, type PastDispute, pastAmount } from './past-dispute.ts';

/** Estimates the savings and costs of alerts and rules in a time before alerts, under assumptions that the caller states. */

type Cost = { amount: string; currency: string };

export type Assumptions = {
  /** The share of disputes about which an alert would have come in time, in percent. */
  caughtPercent: number;
  /** The price of an alert; null: not known. */
  alertPrice: Cost | null;
  /** The cost of a chargeback in addition to its amount. */
  chargebackCost: Cost;
};

/** The provider whose alerts a dispute would have caused: it covers several networks. */
const assumedProvider = 'provider_a';

/** The alert that a dispute would have caused, as far as the history knows it; undefined if its amount or its time is unknown. */
export const alertInstead = (
  past: PastDispute,
  sid: number,
): (PastAlert & { provider: string; facts: FactSource }) | undefined => {
  const [money, at] = [pastAmount(past), cameUpAt(past)];
  if (!money || at === '') return undefined;
  const { charge, dispute } = past;
  const common = {
    sid,
    provider: assumedProvider,
    alert_type: isFraud(past) ? 'FRAUD' : 'DISPUTE',
    alert_date: at,
    amount: formatAmount(money),
    currency: money.currency,
    descriptor: charge?.descriptor ?? '',
    card: charge ? `${charge.first6}******${charge.last4}` : '',
    is_duplicate: 'no' as const,
  };
  return {
    ...common,
    test: false,
    facts: {
      ...common,
      dispute_amount: '',
      dispute_currency: '',
      condition_code: dispute?.reasonCode ?? '',
      alert_age: '',
      transaction_timestamp: charge?.date ?? '',
    },
  };
};

/** Checks whether a dispute was raised as a chargeback. An inquiry was not, nor was one that the network refunded. */
export const wasRaised = ({ charge, dispute }: PastDispute): boolean =>
  dispute ? dispute.stage !== 'inquiry' && dispute.status !== 'refunded_by_network' : charge !== null;

/** A dispute with what the rules would have done with its alert; `would` null: no rule decides it. */
export type JudgedDispute = PastAlert & { would: Would | null; refund: Cost | null };

const percentage = (count: number, percent: number): number => Math.round((count * percent) / 100);

const shareOfAmount = (amount: string, currency: string, percent: number): string => {
  const money = parseAmount(amount, currency);
  if (typeof money === 'string') return amount;
  return formatAmount({ minor: (money.minor * BigInt(percent)) / 100n, currency });
};

const verdicts = ['refund', 'resolve', 'decline', 'notify', 'review', 'leave_to_merchant'] as const;
const avoiding: readonly (Would | null)[] = ['refund', 'resolve'];

const byMonth = (judged: readonly JudgedDispute[], percent: number) => {
  const months = new Map<string, { disputes: number; avoiding: number }>();
  for (const { alert_date: at, would } of judged) {
    const month = at.slice(0, 'YYYY-MM'.length);
    const { disputes, avoiding: spared } = months.get(month) ?? { disputes: 0, avoiding: 0 };
    months.set(month, { disputes: disputes + 1, avoiding: spared + (avoiding.includes(would) ? 1 : 0) });
  }
  return [...months]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([month, { disputes, avoiding: spared }]) => ({ month, disputes, avoided: percentage(spared, percent) }));
};

/** The estimate on the wire. Amounts and numbers of alerts are scaled by the assumed share. */
export const yearEstimate = (judged: readonly JudgedDispute[], assumptions: Assumptions) => {
  const { caughtPercent: percent, alertPrice, chargebackCost } = assumptions;
  const alerts = percentage(judged.length, percent);
  const count = (would: Would | null) => percentage(judged.filter((one) => one.would === would).length, percent);
  const ended = judged.flatMap((one) => (one.would === null ? [] : [{ ...one, would: one.would }]));
  const price = alertPrice && parseAmount(alertPrice.amount, alertPrice.currency);
  return {
    disputes: judged.length,
    alerts,
    would: { ...Object.fromEntries(verdicts.map((one) => [one, count(one)])), undecided: count(null) } as Record<
      (typeof verdicts)[number] | 'undecided',
      number
    >,
    avoided: percentage(judged.filter(({ would }) => avoiding.includes(would)).length, percent),
    totals: sumTotals(ended, chargebackCost).map(({ currency, refunded, saved }) => ({
      currency,
      refunded: shareOfAmount(refunded, currency, percent),
      saved: shareOfAmount(saved, currency, percent),
    })),
    alert_cost:
      price && typeof price !== 'string'
        ? {
            amount: formatAmount({ minor: price.minor * BigInt(alerts), currency: price.currency }),
            currency: price.currency,
          }
        : null,
    months: byMonth(judged, percent),
  };
};

/** The assumptions of every estimate, in words. */
export const assumptionsInWords = ({ caughtPercent, alertPrice, chargebackCost }: Assumptions): string[] => [
  `An alert would have come in time for ${caughtPercent} % of the disputes.`,
  'Every alert would have come from provider_a on the day on which the dispute came up.',
  'Each alert would have matched exactly one charge, of which the disputed amount was still refundable.',
  'Conditions on volumes, orders, deliveries and authentication are not met: the history does not have them.',
  `A chargeback costs ${chargebackCost.amount} ${chargebackCost.currency} in addition to its amount.`,
  alertPrice ? `An alert costs ${alertPrice.amount} ${alertPrice.currency}.` : 'The price of an alert is not known.',
];
