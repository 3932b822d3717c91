import type { ClaimRule } from '#core/kernel/descriptor.ts';

/** One enrolled claim that fits an alert. */
export type ClaimCandidate = {
  rule: ClaimRule;
  /** The length of the claimed text; counts between prefixes only. */
  length: number;
  sid: number;
  mid: number;
  enrollmentId: number;
  /** As enrolled; may be empty where numbers are. */
  descriptor: string;
  /** ISO. */
  enrolledAt: string;
};

export type ClaimMatch = { candidate: ClaimCandidate } | { unmatchedBecause: 'no_match' | 'tie' };

const ranks: Readonly<Record<ClaimRule, number>> = { BIN_CAID: 0, ARN: 1, EXACT: 2, PREFIX: 3 };

/** Below zero if the left claim is the more specific one, zero if neither is. */
const bySpecificity = (left: ClaimCandidate, right: ClaimCandidate): number =>
  ranks[left.rule] - ranks[right.rule] || (left.rule === 'PREFIX' ? right.length - left.length : 0);

const byAge = (left: ClaimCandidate, right: ClaimCandidate): number =>
  left.enrolledAt === right.enrolledAt
    ? left.enrollmentId - right.enrollmentId || left.sid - right.sid
    : left.enrolledAt < right.enrolledAt
      ? -1
      : 1;

/**
 * Returns the owner of an alert: the most specific claim wins; among sites of one merchant, the one that enrolled first. If two merchants'
 * claims are equally specific, the choice is not automatic, so neither gets it.
 */
export const matchClaims = (candidates: readonly ClaimCandidate[]): ClaimMatch => {
  const [best] = [...candidates].sort(bySpecificity);
  if (!best) return { unmatchedBecause: 'no_match' };
  const equals = candidates.filter((candidate) => bySpecificity(candidate, best) === 0);
  if (equals.some(({ mid }) => mid !== best.mid)) return { unmatchedBecause: 'tie' };
  const [candidate = best] = equals.sort(byAge);
  return { candidate };
};
