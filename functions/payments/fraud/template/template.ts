import type { ConditionGroup } from '#payments/conditions/condition-reader.ts';
import type { FraudDecision, Thresholds } from '../check/fraud-decision.ts';
import type { Absence, FallbackName, ScorerName } from '../scorers/scorer.ts';

/** The effect of a rule when its conditions are met: it adds to the score, or asks for at least this decision. */
export type RuleEffect = { score: number } | { decision: Exclude<FraudDecision, 'ACCEPT'> };
export type TemplateRule = {
  name: string;
  conditions: ConditionGroup;
  effect: RuleEffect;
  /** The effect of a rule that names currencies in a currency that no rule of its template names; absent: REVIEW. */
  otherCurrencies?: OtherCurrencies;
};

export const otherCurrencies = ['REVIEW', '3DS', 'REJECT', 'ignore'] as const;
export type OtherCurrencies = (typeof otherCurrencies)[number];
export const usualOtherCurrencies: OtherCurrencies = 'REVIEW';

/** The fields of a template that a caller decides. */
export type TemplateFields = {
  scorer: ScorerName;
  /** The scorers that are asked, in this order, when `scorer` does not answer; absent: none. */
  fallbacks?: readonly FallbackName[];
  /** The action if none answers; absent: `site`. */
  noAnswer?: Absence;
  rules: readonly TemplateRule[];
  thresholds: Thresholds;
};

export type Template = TemplateFields & {
  ftid: number;
  /** From 1; goes up with every change, and each one is kept. */
  version: number;
  updatedAt: string;
  /** The author of this version; null: it is part of the service. */
  by: string | null;
};

/** A payment reads its template whole. */
export const maxTemplateRules = 30;

export const usualThresholds: Thresholds = { review: 30, three_ds: 50, reject: 80 };
const noThresholds: Thresholds = { review: null, three_ds: null, reject: null };

/** The contents of the templates that every installation begins with, by their ids in the list; and the default content. */
const standard: TemplateFields = { scorer: 'local', rules: [], thresholds: usualThresholds };
const included: Readonly<Record<number, TemplateFields>> = {
  1: standard,
  2: { scorer: 'local', rules: [], thresholds: { review: 15, three_ds: 25, reject: 50 } },
  3: { scorer: 'local', rules: [], thresholds: { review: 50, three_ds: null, reject: 95 } },
  4: { scorer: 'local', rules: [], thresholds: { review: 30, three_ds: null, reject: null } },
  5: { scorer: 'none', rules: [], thresholds: noThresholds },
};

/** The first version of a template that was never written: one of those above, or one that only has a name yet. */
export const includedTemplate = (ftid: number): Template => ({
  ...(included[ftid] ?? standard),
  ftid,
  version: 1,
  updatedAt: '2026-01-01T00:00:00.000Z',
  by: null,
});
