import { type Facts, factLabel } from '#payments/conditions/fact-values.ts';
import type { VelocityScope, VelocityWindow } from '../velocity/velocity.ts';
import { type Score, type ScoreReason, totalPointsOf } from './scorer.ts';

type Signal = ScoreReason & { speaks: (facts: Facts) => boolean };

/** Used more often within a window than by people who buy for themselves. */
const often = (of: VelocityScope, window: VelocityWindow, most: number, points: number): Signal => ({
  name: `${of}_velocity_${window}`,
  points,
  speaks: (facts) => Number(facts[factLabel('velocity_count', { of, window })] ?? 0) > most,
});

const signal = (fact: string, points: number): Signal => ({
  name: fact,
  points,
  speaks: (facts) => facts[fact] === true,
});

/** The signals against a payment. An unknown fact is no signal. */
const signals: readonly Signal[] = [
  often('card', '1h', 3, 30),
  often('card', '24h', 10, 20),
  often('card', '7d', 30, 10),
  often('email', '1h', 5, 20),
  often('email', '24h', 15, 15),
  often('ip', '1h', 10, 25),
  often('ip', '24h', 40, 15),
  often('device', '1h', 5, 25),
  often('device', '24h', 15, 15),
  signal('bin_country_differs', 20),
  signal('shipping_country_differs', 10),
];

/** Scores from what this service knows itself, with a reason for each part of the score. */
export const scoreLocally = (facts: Facts): Score => {
  const reasons = signals.filter(({ speaks }) => speaks(facts)).map(({ name, points }) => ({ name, points }));
  return { points: totalPointsOf(reasons), reasons };
};
