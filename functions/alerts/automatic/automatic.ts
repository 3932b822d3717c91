import type { Facts } from '../../conditions/fact-values.ts';
import type { RuleAction } from './actions.ts';
import type { GatewayTransaction } from './gateway-transaction.ts';
import type { RuleMode } from './rule.ts';

/**
 * What came of a rule that matched. `refund_pending`: a refund was begun, and nobody knows yet what became of it;
 * `left_to_merchant`: nothing could be done, and `reason` says why.
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

/** Why a decision was made: which rule, in which version, on what facts; and what came of it. */
export type Decision = {
  ruleId: number;
  version: number;
  name: string;
  /** Null: a rule for all sites of the merchant. */
  sid: number | null;
  mode: RuleMode;
  action: RuleAction;
  facts: Facts;
  result: DecisionResult;
  reason: string | null;
  /** What was done besides the refund, and what could not be, in words; absent: nothing was asked for. */
  afterwards?: readonly string[];
  /** The reason code that its refund answered the alert with; absent: it did not, as somebody else had. */
  answeredWith?: string;
};

/** All that automatic handling did with an alert. */
export type Automatic = {
  decision: Decision | null;
  /** Shadow rules that matched before it: what they would have done. */
  shadows: readonly Decision[];
  /** The original transaction, the refund, and what else it might have been, as far as a processor was asked. */
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
  ...(decision.afterwards && { afterwards: [...decision.afterwards] }),
});

/** In words, for the notification: what a rule wanted and could not do; empty if there is nothing to say. */
export const noteOf = (automatic: Automatic | null): string => {
  const decision = automatic?.decision;
  if (!decision) return '';
  const { ruleId, version, action, reason, afterwards = [] } = decision;
  const said = [...(reason ? [`no automatic ${action.type}, ${reason}`] : []), ...afterwards];
  return said.length === 0 ? '' : `Rule ${ruleId} (version ${version}): ${said.join('; ')}`;
};
