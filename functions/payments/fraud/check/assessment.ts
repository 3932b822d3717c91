import type { Facts } from '#payments/conditions/fact-values.ts';
import type { ListVerdict } from '../lists/lists.ts';
import { maxPoints, type Score, type ScoreReason, totalPointsOf } from '../scorers/scorer.ts';
import type { Template, TemplateRule } from '../template/template.ts';
import type { VelocityScope } from '../velocity/velocity.ts';
import { decisionAt, type FraudDecision, strictest } from './fraud-decision.ts';

/** The content of an assessment, and its readers. */
export type Assessment = {
  fraudId: number;
  /** 0 to 100. */
  score: number;
  decision: FraudDecision;
  /** In order: what decided, then what added to the score. */
  reasons: readonly string[];
  /** Null: the site has none. */
  template: number | null;
  version: number | null;
  /** A scorer did not answer and the site does not go on without it. */
  failed: boolean;
  mid: number;
  facts: Facts;
  /** The scopes whose counters its rules used. */
  asked: readonly VelocityScope[];
};

/** An assessment whose counters kept changing: its result is uncertain, so a person reviews it. */
export const needReview = (assessment: Assessment): Assessment => ({
  ...assessment,
  decision: strictest([assessment.decision, 'REVIEW']),
  reasons: ['velocity_contended (REVIEW)', ...assessment.reasons],
  asked: [],
});

export type FraudConclusion = Pick<Assessment, 'score' | 'decision' | 'reasons' | 'failed'>;

/** Checks whether the payment was assessed. It is not if the site has no template and its lists do not decide. */
export const isAssessed = ({ template, reasons }: Pick<Assessment, 'template' | 'reasons'>): boolean =>
  template !== null || reasons.length > 0;

export const unassessed: FraudConclusion = { score: 0, decision: 'ACCEPT', reasons: [], failed: false };

/** The lists decide; no scorer or rule is asked. */
export const byLists = ({ decision, reasons }: ListVerdict): FraudConclusion => ({
  score: decision === 'REJECT' ? maxPoints : 0,
  decision,
  reasons,
  failed: false,
});

type Findings = {
  template: Pick<Template, 'thresholds'>;
  scored: Score;
  met: readonly TemplateRule[];
  /** Without an answer `scored` is the local score. `unavailable`: it counts; `looked at`: it counts, and a person reviews; `missed`: the payment is rejected. */
  scorer: 'answered' | 'unavailable' | 'looked at' | 'missed';
};

const reasonText = ({ name, points }: ScoreReason): string => `${name} (+${points})`;

/** Combines the score, the rules that were met and a scorer's missing answer: the strictest decision that any of them asks for. */
export const concludeAssessment = ({ template, scored, met, scorer }: Findings): FraudConclusion => {
  const points = met.flatMap(({ name, effect }) => ('score' in effect ? [{ name, points: effect.score }] : []));
  const asked = met.flatMap(({ name, effect }) => ('decision' in effect ? [{ name, decision: effect.decision }] : []));
  const score = totalPointsOf([{ name: 'scorer', points: scored.points }, ...points]);
  const failed = scorer === 'missed';
  return {
    score,
    decision: failed
      ? 'REJECT'
      : strictest([
          decisionAt(score, template.thresholds),
          ...(scorer === 'looked at' ? (['REVIEW'] as const) : []),
          ...asked.map(({ decision }) => decision),
        ]),
    reasons: [
      ...(scorer === 'answered' ? [] : ['scorer_unavailable']),
      ...asked.map(({ name, decision }) => `${name} (${decision})`),
      ...[...scored.reasons, ...points].map(reasonText),
    ],
    failed,
  };
};
