import { judgeByLimit } from '#accounts/merchants/settings/refund-limit.ts';
import type { Site } from '#accounts/merchants/site/site.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import type { AlertUpdate, RefundMaker } from '#disputes/alerts/answer/alert-update.ts';
import { allowedCodes, needsAmount, statesRefund } from '#disputes/alerts/answer/reason-codes.ts';
import { waitingAnswer } from '#disputes/alerts/answer/refund-answer.ts';
import { applyUpdate, takesOutcome } from '#disputes/alerts/answer/update.ts';
import {
  actionStatusOf,
  chargedBackCode,
  partlyRefundedCode,
  type RuleAction,
  refundedBeforeCode,
  refundedCode,
} from '#disputes/alerts/automatic/actions.ts';
import {
  type Automatic,
  type Decision,
  type DecisionResult,
  ruleDecisionOf,
  unansweringRefund,
} from '#disputes/alerts/automatic/automatic.ts';
import type { BegunRefund, RefundAmount } from '#disputes/alerts/automatic/decision-row.ts';
import type { MatchedRule } from '#disputes/alerts/automatic/rule.ts';
import type { MatchEvidenceDto } from '#disputes/matching/match.ts';
import type { Facts } from './alert-facts.ts';

/** A rule that matched, as a decision whose result is still to come. */
const ruleDecision = (rule: MatchedRule, facts: Facts, result: DecisionResult, reason: string | null): Decision => ({
  ...ruleDecisionOf(rule, facts, result, reason),
  sid: rule.sid,
  mode: rule.mode,
});

/** Automatic refunds of a site per UTC day, unless it says otherwise. */
const defaultDailyRefunds = 10;

export const dailyRefundsOf = ({ alert }: Pick<Site, 'alert'>): number =>
  alert?.max_daily_refunds ?? defaultDailyRefunds;

type RefundSubject = { test: boolean; isDuplicate: boolean; amount: string; currency: string };

/** Why a rule may not refund an alert's transaction, whatever the processor has; null if it may. `amount`: the amount to refund. */
export const refundBarrier = (
  { test, isDuplicate, amount, currency }: RefundSubject,
  site: Pick<Site, 'alert' | 'profile'>,
): string | null => {
  if (test) return 'test_alert';
  if (isDuplicate) return 'duplicate';
  return barriers[judgeByLimit({ amount, currency }, site)];
};

const barriers = {
  none: null,
  within: null,
  above: 'above_max_refund_amount',
  other_currency: 'max_refund_amount_of_other_currency',
  unknown: 'amount_unknown',
} as const satisfies Record<ReturnType<typeof judgeByLimit>, string | null>;

/** The result of a refund. */
export type RefundOutcome = Pick<Automatic, 'transaction' | 'refund' | 'potentialMatches'> & {
  /** Null: it was refunded. */
  reason: string | null;
  /** The evidence for the transaction. */
  match?: MatchEvidenceDto | undefined;
  /** The other actions. */
  afterwards?: readonly string[];
  /** The answer to the network; null: none, the merchant has to answer. */
  answer: RuleRefundAnswer | null;
  /** The number of a refund of a payment taken here. */
  txid?: number;
};

export type RuleRefundAnswer = {
  status: 'RESOLVED' | 'DECLINED' | 'WIP';
  reason_code: string;
  refund: RefundAmount | null;
  /** If it was refunded or charged back before: when, ISO, if known. */
  earlierAt?: string;
  /** If it was refunded before: through Forewarn, or at the merchant's own processor. */
  refundedBy?: RefundMaker;
};

/** The answer for a refund made by the rule. */
export const refundAnswer = (refund: RefundAmount): RuleRefundAnswer => ({
  status: 'RESOLVED',
  reason_code: refund.isPart ? partlyRefundedCode : refundedCode,
  refund,
});

/** The answer for a transaction that was refunded or charged back before. */
export const earlierRefundAnswer = (
  reason: 'already_refunded' | 'already_charged_back',
  at?: string,
  refundedBy: RefundMaker = 'merchant',
): RuleRefundAnswer => ({
  ...(reason === 'already_refunded'
    ? { status: 'RESOLVED', reason_code: refundedBeforeCode, refundedBy }
    : { status: 'DECLINED', reason_code: chargedBackCode }),
  refund: null,
  ...(at !== undefined && { earlierAt: at }),
});

/** For a refund under way: the step that learns its result answers the alert. */
export const pendingRefund = ({ transaction, match }: Pick<BegunRefund, 'transaction' | 'match'>): RefundOutcome => ({
  transaction,
  match,
  refund: null,
  potentialMatches: null,
  reason: null,
  answer: { ...waitingAnswer, status: 'WIP', refund: null },
});

export const notRefunded = (reason: string, more: Partial<RefundOutcome> = {}): RefundOutcome => ({
  transaction: null,
  refund: null,
  potentialMatches: null,
  answer: null,
  ...more,
  reason,
});

const nothingDone = { transaction: null, refund: null, potentialMatches: null } as const;

const ruleUpdate = (
  alert: Alert,
  action: RuleAction,
  answer: RuleRefundAnswer | null,
  at: string,
): AlertUpdate | null => {
  if (action.type === 'refund') {
    if (!answer || !takesOutcome(alert.providerAlert.type)) return null;
    const { status, reason_code, refund, earlierAt, refundedBy } = answer;
    if (!refund) {
      return {
        ...{ status, reason_code },
        ...(earlierAt !== undefined && { alert_outcome_action_date: earlierAt }),
        ...(refundedBy !== undefined && { refunded_by: refundedBy }),
      };
    }
    const { amount: alert_outcome_amount, currency: alert_outcome_currency } = refund;
    return {
      ...{ status, reason_code, alert_outcome_amount, alert_outcome_currency },
      ...{ alert_outcome_action_date: at, refunded_by: 'forewarn' },
    };
  }
  const status = actionStatusOf(action);
  if (!status || (action.type !== 'decline' && action.type !== 'resolve')) return null;
  const { reason_code, comments } = action;
  return {
    status,
    reason_code,
    ...(comments !== undefined && { comments }),
    ...(statesRefund(reason_code) && { refunded_by: 'merchant' }),
    ...(isDuplicateCode(reason_code) &&
      alert.duplicateOf !== null && { tx_details: [{ duplicate_alertid: String(alert.duplicateOf) }] }),
  };
};

const isDuplicateCode = (code: string): boolean => code.startsWith('940.');

/** Why this alert cannot get an outcome; null if it can. */
const outcomeBarrier = ({ providerAlert, duplicateOf }: Alert, update: AlertUpdate): string | null => {
  const { status, reason_code } = update;
  if (!allowedCodes(providerAlert.provider, status).includes(reason_code)) return 'reason_code_not_allowed';
  // Rules from before 2026-11-22 may resolve with provider_a's 101.001, which now requires the amount.
  const isPart = needsAmount(providerAlert.provider, reason_code) && update.alert_outcome_amount === undefined;
  if (isPart) return 'amount_missing';
  return isDuplicateCode(reason_code) && duplicateOf === null ? 'not_a_duplicate' : null;
};

/** An alert after its rules were asked, and the outcome it got, if any. */
export type Handled = { alert: Alert; update: AlertUpdate | null };

/** Returns what is left for the merchant to do: nothing, or to wait for the refund of the transaction that was found. */
const actionAfter = (status: AlertUpdate['status']): Alert['action'] =>
  status === 'RESOLVED' || status === 'DECLINED' ? status : 'MATCHED';

const ruleResult = (refund: RefundOutcome | null, { status }: AlertUpdate): DecisionResult => {
  if (status === 'WIP') return 'refund_pending';
  if (refund?.reason === null) return 'refunded';
  return status === 'DECLINED' ? 'declined' : 'resolved';
};

/**
 * The alert as a decision leaves it. `refund` is the result of a refund, for a rule that asks for one; `at`: ISO. An alert
 * that gets its outcome shows that as its action, RESOLVED or DECLINED; one whose transaction was found but not refunded, MATCHED.
 */
export const handle = (
  alert: Alert,
  { rule, facts, shadows }: { rule: MatchedRule; facts: Facts; shadows: readonly MatchedRule[] },
  refund: RefundOutcome | null,
  at: string,
): Handled => {
  const update = ruleUpdate(alert, rule.action, refund?.answer ?? null, at);
  const barrier = update && outcomeBarrier(alert, update);
  const reason = refund?.reason ?? barrier;
  const { transaction, refund: refunded, potentialMatches } = refund ?? nothingDone;
  const found = { transaction, refund: refunded, potentialMatches };
  const automatic = (result: DecisionResult): Automatic => ({
    decision: withDetails(ruleDecision(rule, facts, result, reason), refund ?? {}),
    shadows: shadowDecisions(shadows, facts),
    ...found,
  });
  if (update && barrier === null) {
    const changed = applyUpdate(alert, update, new Set(alert.duplicateOf === null ? [] : [alert.duplicateOf]), at);
    if (!changed) throw new Error(`Alert ${alert.alertId} has this outcome already`);
    const action = actionAfter(update.status);
    const decided = automatic(ruleResult(refund, update));
    return { alert: { ...changed, action, automatic: withAnswer(decided, update) }, update };
  }
  const left = { ...alert, version: alert.version + 1 };
  if (rule.action.type === 'refund' && refund?.reason === null && !takesOutcome(alert.providerAlert.type)) {
    const result = refund.answer?.status === 'WIP' ? 'refund_pending' : 'refunded';
    return { alert: { ...left, automatic: automatic(result) }, update: null };
  }
  if (actionStatusOf(rule.action)) {
    const action = transaction ? ('MATCHED' as const) : alert.action;
    return { alert: { ...left, action, automatic: automatic('left_to_merchant') }, update: null };
  }
  return rule.action.type === 'review'
    ? { alert: { ...left, action: 'REVIEW', automatic: automatic('review') }, update: null }
    : { alert: { ...left, automatic: automatic('notified') }, update: null };
};

/** Names the answer of a refund: for other answers there is no doubt who gave them. */
const withAnswer = (automatic: Automatic, { reason_code: answeredWith }: AlertUpdate): Automatic => {
  const { decision } = automatic;
  return decision?.result === 'refunded' ? { ...automatic, decision: { ...decision, answeredWith } } : automatic;
};

const withDetails = (
  decision: Decision,
  { match, afterwards = [] }: Pick<RefundOutcome, 'match' | 'afterwards'>,
): Decision => ({
  ...decision,
  ...(match && { match }),
  ...(afterwards.length > 0 && { afterwards }),
});

const shadowDecisions = (shadows: readonly MatchedRule[], facts: Facts): Decision[] =>
  shadows.map((rule) => ruleDecision(rule, facts, 'recorded', null));

/**
 * Returns the alert after a refund that was begun before another process closed or answered it: its new state remains, and what was done is
 * recorded.
 */
export const recordDecision = (
  alert: Alert,
  { rule, facts, shadows }: { rule: MatchedRule; facts: Facts; shadows: readonly MatchedRule[] },
  { reason, answer, match, afterwards, transaction, refund, potentialMatches }: RefundOutcome,
): Alert => {
  const settled = settleResult(alert, reason, answer);
  return {
    ...alert,
    version: alert.version + 1,
    automatic: {
      decision: withDetails(ruleDecision(rule, facts, settled.result, settled.reason), {
        match,
        ...(afterwards && { afterwards }),
      }),
      shadows: shadowDecisions(shadows, facts),
      transaction,
      refund,
      potentialMatches,
    },
  };
};

/** An answer with the refund's own code is taken for the refund's. */
const settleResult = (
  { update }: Alert,
  reason: string | null,
  answer: RefundOutcome['answer'],
): Pick<Decision, 'result' | 'reason'> => {
  if (answer?.status === 'WIP') return { result: 'refund_pending', reason };
  if (reason !== null) return { result: 'left_to_merchant', reason };
  const isOwn = answer?.reason_code === update?.reason_code;
  return isOwn ? { result: 'refunded', reason } : unansweringRefund({ update });
};

/** The alert when no live rule decided; it remembers the shadow ones that would have. */
export const recordNoDecision = (alert: Alert, shadows: readonly MatchedRule[], facts: Facts): Alert => ({
  ...alert,
  version: alert.version + 1,
  automatic: shadows.length === 0 ? null : { decision: null, shadows: shadowDecisions(shadows, facts), ...nothingDone },
});
