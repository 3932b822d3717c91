import { iso, milliseconds } from '#core/kernel/clock.ts';
import { ruleDecisionOf } from '#disputes/alerts/automatic/automatic.ts';
import type { ChargebackAction, EvidenceFloor } from '#disputes/alerts/automatic/chargeback-actions.ts';
import type { MatchedRule, Rule } from '#disputes/alerts/automatic/rule.ts';
import { flatten } from '#disputes/rules/conditions.ts';
import { meets } from '#disputes/rules/decide/evaluate-rules.ts';
import type { Facts } from '#payments/conditions/fact-values.ts';
import { type Chargeback, isChargebackOver } from '../chargeback.ts';
import type { AutomaticHandling, ChargebackDecision, ChargebackResult } from './handling.ts';

/** The actions of rules on chargebacks, and the times at which rules are evaluated. Pure. */

export type ChargebackRule = Rule<ChargebackAction>;
export type MatchedChargebackRule = MatchedRule<ChargebackAction>;

export const decisionOfRule = (
  rule: MatchedChargebackRule,
  facts: Facts,
  { result, reason = null, words }: { result: ChargebackResult; reason?: string | null; words?: string | undefined },
  at: string,
): ChargebackDecision => ({
  ...ruleDecisionOf(rule, facts, result, reason),
  at,
  ...(words !== undefined && { words: words.slice(0, 500) }),
});

const isSameRule = (one: ChargebackDecision | null, other: ChargebackDecision | null): boolean =>
  one?.ruleId === other?.ruleId &&
  one?.version === other?.version &&
  one?.result === other?.result &&
  one?.reason === other?.reason;

/** The chargeback with what its rules made of it, of the next version; the same object if that says nothing new. */
export const withHandling = (chargeback: Chargeback, handling: AutomaticHandling): Chargeback => {
  const before = chargeback.automatic ?? { decision: null, shadows: [] };
  const isNews =
    !isSameRule(before.decision, handling.decision) ||
    before.shadows.length !== handling.shadows.length ||
    handling.shadows.some((one, index) => !isSameRule(one, before.shadows[index] ?? null));
  if (!isNews) return chargeback;
  const assignments = assignmentsAfter(before.assignments ?? [], handling.decision);
  const automatic = { ...handling, ...(assignments.length > 0 && { assignments }) };
  return { ...chargeback, automatic, version: chargeback.version + 1 };
};

const assignmentsAfter = (before: readonly ChargebackDecision[], decision: ChargebackDecision | null) =>
  decision?.result === 'assigned' ? [...before.filter(({ ruleId }) => ruleId !== decision.ruleId), decision] : before;

/**
 * Returns the rules that may still decide, without those that have assigned the chargeback. A rule after such an assignment remains if
 * its time had not come by then: the assignment takes precedence over the others.
 */
export const remainingRules = async (
  rules: readonly ChargebackRule[],
  { automatic }: Pick<Chargeback, 'automatic'>,
): Promise<ChargebackRule[]> => {
  const passed: ChargebackDecision[] = [];
  const remaining: ChargebackRule[] = [];
  for (const rule of rules) {
    const own = automatic?.assignments?.find(({ ruleId, version }) => ruleId === rule.id && version === rule.version);
    if (own) passed.push(own);
    else if (await isLaterThan(passed, rule)) remaining.push(rule);
  }
  return remaining;
};

const isLaterThan = async (assignments: readonly ChargebackDecision[], rule: ChargebackRule): Promise<boolean> => {
  if (assignments.length === 0) return true;
  if (!flatten(rule.conditions).some(({ fact }) => fact === 'hours_to_due' || fact === 'days_open')) return false;
  const met = await Promise.all(assignments.map(({ facts }) => meets(rule, facts)));
  return !met.includes(true);
};

/** Checks whether rules may still decide: it can be contested, and is neither contested nor accepted yet. `at`: ISO. */
export const isDecidable = (chargeback: Chargeback, at: string): boolean => {
  const { status, accepted, evidence, unmapped, dueBy } = chargeback;
  return (
    status === 'open' &&
    !isChargebackOver(chargeback) &&
    accepted === null &&
    evidence === null &&
    unmapped === undefined &&
    (dueBy === null || dueBy > at)
  );
};

/** Checks whether the evidence is at least the floor of a rule. */
export const isEnoughEvidence = (floor: EvidenceFloor, facts: Facts): boolean =>
  floor === 'none' || (floor === 'any' ? Number(facts['proofs']) > 0 : facts['decisive_proof'] === true);

/** Both sides of a limit are met a moment after it. */
const moment = milliseconds.second;

/** The times (ISO) at which a comparison of time may change its answer, soonest first. */
export const listTurns = (
  rules: readonly Pick<ChargebackRule, 'conditions'>[],
  { dueBy, openedAt }: Pick<Chargeback, 'dueBy' | 'openedAt'>,
): string[] => {
  const times = rules
    .flatMap(({ conditions }) => flatten(conditions))
    .flatMap(({ fact, value }) => {
      const limits = [value].flat().filter((one) => typeof one === 'number');
      if (fact === 'hours_to_due' && dueBy !== null)
        return limits.map((hours) => Date.parse(dueBy) - hours * milliseconds.hour + moment);
      if (fact !== 'days_open') return [];
      return limits.flatMap((days) =>
        [days, days + 1].map((n) => Date.parse(openedAt) + n * milliseconds.day + moment),
      );
    });
  return [...new Set(times)]
    .filter(Number.isFinite)
    .sort((one, other) => one - other)
    .map(iso);
};

/** When the rules are evaluated again because of time alone (ISO); undefined: not at all. */
export const nextTurn = (
  rules: readonly Pick<ChargebackRule, 'conditions'>[],
  chargeback: Pick<Chargeback, 'dueBy' | 'openedAt'>,
  at: string,
): string | undefined =>
  listTurns(rules, chargeback).find((turn) => turn > at && (chargeback.dueBy === null || turn < chargeback.dueBy));
