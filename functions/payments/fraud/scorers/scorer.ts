import type { Facts } from '#payments/conditions/fact-values.ts';
import type { FraudSubject } from '../check/subject.ts';

/** One signal against a payment, and how many points it adds. */
export type ScoreReason = { name: string; points: number };

/** 0: nothing speaks against it; 100: everything does. */
export type Score = { points: number; reasons: readonly ScoreReason[] };

/**
 * The port of a fraud scorer. A scorer returns whole points from 0 to 100 within 3 seconds, or throws, whatever the
 * reason. It gets no card number, as a subject has none, and passes on no more than it needs.
 */
export type Scorer = (subject: FraudSubject, facts: Facts) => Promise<Score>;

/** Those that a template can name. `none`: its rules alone. */
export const scorerNames = ['none', 'local', 'minfraud', 'sift'] as const;
export type ScorerName = (typeof scorerNames)[number];

/** The scorers that can replace one that does not answer. */
export const fallbackNames = ['local', 'minfraud', 'sift'] as const;
export type FallbackName = (typeof fallbackNames)[number];
export const maxFallbacks = 2;

/** The action if none of them answers. `site`: as the site's `proceedeveniffail` says. */
export const absences = ['site', 'local', 'review', 'reject'] as const;
export type Absence = (typeof absences)[number];

/** The scorers that are asked over the network; the caller of an assessment supplies them. */
export type RemoteScorers = Readonly<Record<Exclude<ScorerName, 'none' | 'local'>, Scorer>>;

export const maxPoints = 100;
const atMost = (points: number): number => Math.min(maxPoints, points);
export const totalPointsOf = (reasons: readonly ScoreReason[]): number =>
  atMost(reasons.reduce((sum, { points }) => sum + points, 0));
