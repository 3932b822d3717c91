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
