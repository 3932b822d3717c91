import { evidenceWords, type MatchEvidenceDto } from '#disputes/matching/match.ts';
import type { Facts } from '#payments/conditions/fact-values.ts';
import type { RuleAction } from './actions.ts';
import type { GatewayTransaction } from './gateway-transaction.ts';
import type { MatchedRule, RuleMode } from './rule.ts';

/**
 * The result of a rule that matched. `refund_pending`: a refund was begun, and its result is not known yet;
 * `left_to_merchant`: the rule gave no answer, and `reason` says why.
 */
export const decisionResults = [
  'refunded',
  'resolved',
  'declined',
  'review',
  'notified',
  'recorded',
  'refund_pending',
  'left_to_merchant',
] as const;
export type DecisionResult = (typeof decisionResults)[number];

/** Why a decision was made (which version of which rule, on which facts) and its result. */
export type RuleDecision<Action, Result> = {
  ruleId: number;
  version: number;
  name: string;
  action: Action;
  facts: Facts;
  result: Result;
  reason: string | null;
};

/** The reason of a refund that is done although its alert has another's answer: the answer counts as that of its merchant. */
export const answeredBeforeRefund = 'answered_before_refund';

/** The result of a refund that is done and does not answer its alert. Others' answers are not the rule's; warnings take none. */
export const unansweringRefund = ({
  update,
}: {
  update: { status: string } | null;
}): Pick<Decision, 'result' | 'reason'> =>
  update === null || update.status === 'WIP'
    ? { result: 'refunded', reason: null }
    : { result: 'left_to_merchant', reason: answeredBeforeRefund };

/** A rule that matched, as a decision. */
export const ruleDecisionOf = <Action, Result>(
  { id, version, name, action }: Pick<MatchedRule<Action>, 'id' | 'version' | 'name' | 'action'>,
  facts: Facts,
  result: Result,
  reason: string | null,
): RuleDecision<Action, Result> => ({ ruleId: id, version, name, action, facts, result, reason });

/** A decision about an alert or a warning. */
export type Decision = RuleDecision<RuleAction, DecisionResult> & {
  /** Null: a rule for all sites of the merchant. */
  sid: number | null;
  mode: RuleMode;
  /** The evidence for the transaction that was found; absent: none was found, or none was searched for. */
  match?: MatchEvidenceDto;
  /** The actions after the refund, done or impossible, in words; absent: none were configured. */
  afterwards?: readonly string[];
  /** The reason code with which its refund answered the alert; absent: another process had answered it. */
  answeredWith?: string;
};

/** Everything automatic handling did with an alert. */
export type Automatic = {
  decision: Decision | null;
  /** Shadow rules that matched before it: what they would have done. */
  shadows: readonly Decision[];
  /** The original transaction, the refund, and other candidates, where a processor was asked. */
  transaction: GatewayTransaction | null;
  refund: GatewayTransaction | null;
  potentialMatches: readonly GatewayTransaction[] | null;
};

/** A decision on the wire. */
export const toDecisionDto = (decision: Decision) => ({
  rule_id: decision.ruleId,
  version: decision.version,
  name: decision.name,
  sid: decision.sid,
  mode: decision.mode,
  action: decision.action,
  facts: decision.facts,
  result: decision.result,
  reason: decision.reason,
  ...(decision.match && { match: decision.match }),
  ...(decision.afterwards && { afterwards: [...decision.afterwards] }),
});

/** Describes what a rule could not do, for the notification; empty if there is nothing to report. */
export const ruleNote = (automatic: Automatic | null): string => {
  const decision = automatic?.decision;
  if (!decision) return '';
  const { ruleId, version, action, reason, match, afterwards = [] } = decision;
  const said = [
    ...(reason
      ? [reason === answeredBeforeRefund ? 'refunded after you answered' : `no automatic ${action.type}, ${reason}`]
      : []),
    ...(match ? [evidenceWords(match)] : []),
    ...afterwards,
  ];
  return said.length === 0 ? '' : `Rule ${ruleId} (version ${version}): ${said.join('; ')}`;
};
