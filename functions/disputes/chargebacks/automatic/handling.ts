import type { RuleDecision } from '#disputes/alerts/automatic/automatic.ts';
import type { ChargebackAction } from '#disputes/alerts/automatic/chargeback-actions.ts';

/** `left_to_merchant`: the action could not be done, and `reason` says why. */
export const chargebackResults = [
  'submitted',
  'accepted',
  'assigned',
  'review',
  'recorded',
  'left_to_merchant',
] as const;
export type ChargebackResult = (typeof chargebackResults)[number];

/** A rule that matched, with the facts, and its result. `words`: the processor's or Forewarn's refusal. */
export type ChargebackDecision = RuleDecision<ChargebackAction, ChargebackResult> & { words?: string; at: string };

/** `shadows`: what shadow rules would have done. `assignments`: the newest of each rule that has assigned it. */
export type AutomaticHandling = {
  decision: ChargebackDecision | null;
  shadows: readonly ChargebackDecision[];
  assignments?: readonly ChargebackDecision[];
};
