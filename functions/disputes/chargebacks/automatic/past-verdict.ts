import { claimOfCode, codeAlone } from '#core/kernel/card/scheme-reasons.ts';
import { exponentOf, usualExponent } from '#core/kernel/money/money.ts';
import type { ChargebackAction } from '#disputes/alerts/automatic/chargeback-actions.ts';
import type { Facts } from '#payments/conditions/fact-values.ts';
import type { Chargeback } from '../chargeback.ts';
import { isEnoughEvidence } from './chargeback-decision.ts';

/** The decisions that rules would have made on past chargebacks. Pure. */

export const wouldBeActions = ['submit', 'accept', 'assign', 'review', 'left_to_merchant'] as const;
export type PastVerdict = { would: (typeof wouldBeActions)[number]; reason: string | null };

/** The result that an action would have had on these facts. */
export const verdictOfAction = (action: ChargebackAction, facts: Facts): PastVerdict =>
  action.type === 'submit' && !isEnoughEvidence(action.floor, facts)
    ? { would: 'left_to_merchant', reason: 'evidence_below_floor' }
    : { would: action.type, reason: null };

export type Judged = PastVerdict & {
  chargeback: Pick<Chargeback, 'amount' | 'currency' | 'status' | 'evidence'>;
  /** In percent, of the cases that were decided by then. */
  chance: number | null;
};

type Sums = {
  submitted: number;
  won: number;
  lost: number;
  pending: number;
  uncontested: number;
  expected: number | null;
};
const nothing: Sums = { submitted: 0, won: 0, lost: 0, pending: 0, uncontested: 0, expected: 0 };

/** One that was lost without evidence from here may not have been contested at all. */
const addOne = (sums: Sums, { chargeback: { amount, status, evidence }, chance }: Judged): Sums => {
  const value = Number(amount);
  const counted = { ...sums, submitted: sums.submitted + value };
  if (status === 'won') return { ...counted, won: sums.won + value };
  if (status === 'open' || status === 'under_review') return { ...counted, pending: sums.pending + value };
  if (evidence !== null) return { ...counted, lost: sums.lost + value };
  const expected = sums.expected === null || chance === null ? null : sums.expected + (value * chance) / 100;
  return { ...counted, uncontested: sums.uncontested + value, expected };
};

/** Sums of what would have been submitted, by currency and by how it ended. */
export const backTestTotals = (judged: readonly Judged[]) => {
  const byCurrency = new Map<string, Sums>();
  for (const one of judged.filter(({ would }) => would === 'submit')) {
    const { currency } = one.chargeback;
    byCurrency.set(currency, addOne(byCurrency.get(currency) ?? nothing, one));
  }
  return [...byCurrency].map(([currency, sums]) => {
    const text = (value: number) => value.toFixed(exponentOf(currency) ?? usualExponent);
    return {
      currency,
      submitted: text(sums.submitted),
      won: text(sums.won),
      lost: text(sums.lost),
      pending: text(sums.pending),
      uncontested: text(sums.uncontested),
      expected_of_uncontested: sums.expected === null ? null : text(sums.expected),
    };
  });
};

type RdrDispute = Pick<Chargeback, 'amount' | 'currency' | 'reasonCode' | 'network' | 'status' | 'evidence' | 'stage'>;

/** Visa's conditions have the categories 10 (fraud) to 13 (consumer disputes): 13.1. */
const readCategory = (reasonCode: string): string | null => /^(1[0-3])\.\d/.exec(reasonCode)?.[1] ?? null;

/** Checks whether Visa's Rapid Dispute Resolution could have decided a dispute: one of Visa's that is no inquiry, unless it did so. */
export const isForRdr = ({ network, reasonCode, stage, status }: RdrDispute): boolean =>
  (network.toLowerCase() === 'visa' || (network === '' && readCategory(reasonCode) !== null)) &&
  (stage !== 'inquiry' || status === 'refunded_by_network');

/** The facts that rules for Rapid Dispute Resolution compare. */
export const rdrFactsOf = ({ amount, currency, reasonCode }: RdrDispute): Facts => ({
  ...{ amount: Number(amount), currency, reason_code: codeAlone(reasonCode) },
  ...{ category: readCategory(reasonCode), claim: claimOfCode(reasonCode) ?? null },
});

/**
 * Sums by currency of what rules would have refunded (`isRefunded`), by how each dispute ended, next to what the network has refunded.
 * `by_network_only` is the part of it that the rules leave.
 */
export const rdrTotals = (judged: readonly { chargeback: RdrDispute; isRefunded: boolean }[]) =>
  [...Map.groupBy(judged, ({ chargeback }) => chargeback.currency)].map(([currency, list]) => {
    const sum = (fits: (one: (typeof list)[number]) => boolean): string =>
      list
        .filter(fits)
        .reduce((total, { chargeback }) => total + Number(chargeback.amount), 0)
        .toFixed(exponentOf(currency) ?? usualExponent);
    const isByNetwork = ({ chargeback }: (typeof list)[number]) => chargeback.status === 'refunded_by_network';
    const sumRefunded = (fits: (chargeback: RdrDispute) => boolean) =>
      sum((one) => one.isRefunded && fits(one.chargeback));
    const isPending = ({ status }: RdrDispute) => status === 'open' || status === 'under_review';
    const isLost = (one: RdrDispute) => one.status === 'lost' || one.status === 'accepted';
    return {
      ...{ currency, submitted: sum(() => false), would_refund: sumRefunded(() => true) },
      won: sumRefunded(({ status }) => status === 'won'),
      lost: sumRefunded((one) => isLost(one) && one.evidence !== null),
      pending: sumRefunded(isPending),
      uncontested: sumRefunded((one) => isLost(one) && one.evidence === null),
      expected_of_uncontested: null,
      by_network: sum(isByNetwork),
      by_network_only: sum((one) => isByNetwork(one) && !one.isRefunded),
    };
  });
