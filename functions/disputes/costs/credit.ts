import { redactText } from '#core/platform/log/redaction.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import {
  type AlertCost,
  type Credit,
  type CreditEvidence,
  type CreditReason,
  type CreditState,
  creditSteps,
  withCredit,
} from '#disputes/alerts/cost/cost.ts';

/** A person's decision about a credit. */
export type CreditMove = {
  state: Exclude<CreditState, 'none'>;
  reason?: CreditReason | undefined;
  note?: string | undefined;
};

type Mover = {
  isOperator: boolean;
  who: string;
  at: string;
  /** The credit that the alert itself shows, which remains when a claim is withdrawn. */
  computed: Credit;
};

/** Checks whether this person has just withdrawn the claim: withdrawing it twice is no error. */
const isTakenBack = ({ credit, entries }: AlertCost, who: string): boolean =>
  credit.state === 'none' && entries.findLast((entry) => entry.credit !== undefined)?.by === who;

const keepEvidence = (before: Credit, reason: CreditReason, note: string | undefined): CreditEvidence => ({
  ...(before.reason === reason && before.evidence),
  ...(note !== undefined && { note: redactText(note) }),
});

/**
 * A cost after a person has moved its credit; null if that changes nothing. Only operators grant or refuse a credit.
 * Refuses: scope_missing, credit_state_wrong, request_invalid.
 */
export const moveCredit = (
  cost: AlertCost,
  { state, reason: named, note }: CreditMove,
  { isOperator, who, at, computed }: Mover,
): AlertCost | null => {
  const { credit } = cost;
  if ((state === 'granted' || state === 'refused') && !isOperator) {
    throw new Refusal('scope_missing', 'Only an administrator grants or refuses a credit.');
  }
  if (state === 'claimable') {
    if (credit.state === 'claimed') return withCredit(cost, computed, at, who);
    if (credit.state === 'claimable' || isTakenBack(cost, who)) return null;
  }
  const reason = named ?? credit.reason;
  if (reason === null)
    throw new Refusal('request_invalid', 'reason: must say why, as the alert itself does not show it');
  const evidence = keepEvidence(credit, reason, note);
  if (credit.state === state && credit.reason === reason && credit.evidence.note === evidence.note) return null;
  if (!creditSteps[credit.state].includes(state)) {
    throw new Refusal(
      'credit_state_wrong',
      `state: it is ${credit.state}, and can only become ${creditSteps[credit.state].join(' or ')}.`,
    );
  }
  return withCredit(cost, { state, reason, evidence }, at, who);
};
