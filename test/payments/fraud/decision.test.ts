import fc from 'fast-check';
import { expect, it } from 'vitest';
import { byLists, concludeAssessment } from '#payments/fraud/check/assessment.ts';
import { decisionAt, decisions, strictest, type Thresholds } from '#payments/fraud/check/fraud-decision.ts';
import { scoreLocally } from '#payments/fraud/scorers/local-scorer.ts';
import type { RuleEffect, TemplateRule } from '#payments/fraud/template/template.ts';

const threshold = fc.option(fc.integer({ min: 1, max: 100 }), { nil: null });
const thresholds: fc.Arbitrary<Thresholds> = fc.record({ review: threshold, three_ds: threshold, reject: threshold });
const effect: fc.Arbitrary<RuleEffect> = fc.oneof(
  fc.record({ score: fc.integer({ min: 1, max: 100 }) }),
  fc.record({ decision: fc.constantFrom('REVIEW' as const, '3DS' as const, 'REJECT' as const) }),
);
const rule: fc.Arbitrary<TemplateRule> = fc.record({
  name: fc.constant('A rule'),
  conditions: fc.constant({ all: [] }),
  effect,
});
const findings = fc.record({
  template: fc.record({ thresholds }),
  scored: fc.record({ points: fc.integer({ min: 0, max: 100 }), reasons: fc.constant([]) }),
  met: fc.array(rule, { maxLength: 6 }),
  scorer: fc.constantFrom('answered' as const, 'unavailable' as const, 'missed' as const),
});
const rank = (decision: (typeof decisions)[number]) => decisions.indexOf(decision);

it('orders decisions from accepting to rejecting', () => {
  expect(decisions).toEqual(['ACCEPT', 'REVIEW', '3DS', 'REJECT']);
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...decisions)), (some) => {
      expect(rank(strictest(some))).toBe(Math.max(0, ...some.map(rank)));
    }),
  );
});

it('never becomes milder as the score goes up', () => {
  fc.assert(
    fc.property(thresholds, fc.integer({ min: 0, max: 99 }), (limits, score) => {
      expect(rank(decisionAt(score + 1, limits))).toBeGreaterThanOrEqual(rank(decisionAt(score, limits)));
    }),
  );
});

it('reaches a threshold at its very score, and not one point before', () => {
  const limits = { review: 30, three_ds: 50, reject: 80 };
  expect([29, 30, 49, 50, 79, 80, 100].map((score) => decisionAt(score, limits))).toEqual([
    'ACCEPT',
    'REVIEW',
    'REVIEW',
    '3DS',
    '3DS',
    'REJECT',
    'REJECT',
  ]);
  expect(decisionAt(100, { review: null, three_ds: null, reject: null })).toBe('ACCEPT');
});

it('scores from 0 to 100, never lower and never milder for one more rule that is met', () => {
  fc.assert(
    fc.property(findings, rule, (found, more) => {
      const [before, after] = [concludeAssessment(found), concludeAssessment({ ...found, met: [...found.met, more] })];
      expect(after.score).toBeGreaterThanOrEqual(before.score);
      expect(after.score).toBeLessThanOrEqual(100);
      expect(rank(after.decision)).toBeGreaterThanOrEqual(rank(before.decision));
      expect(after.reasons.length).toBe(before.reasons.length + 1);
    }),
  );
});

it('rejects where a scorer is missed, whatever else was found', () => {
  fc.assert(
    fc.property(findings, (found) => {
      expect(concludeAssessment({ ...found, scorer: 'missed' })).toMatchObject({ decision: 'REJECT', failed: true });
      expect(concludeAssessment({ ...found, scorer: 'unavailable' })).toMatchObject({ failed: false });
      expect(concludeAssessment({ ...found, scorer: 'unavailable' }).reasons[0]).toBe('scorer_unavailable');
    }),
  );
});

it('says why, the deciding rules first', () => {
  const met: TemplateRule[] = [
    { name: 'Night', conditions: { all: [] }, effect: { score: 12 } },
    { name: 'Far away', conditions: { all: [] }, effect: { decision: '3DS' } },
  ];
  const scored = { points: 20, reasons: [{ name: 'bin_country_differs', points: 20 }] };
  const template = { thresholds: { review: 30, three_ds: null, reject: null } };
  expect(concludeAssessment({ template, scored, met, scorer: 'answered' })).toEqual({
    score: 32,
    decision: '3DS',
    reasons: ['Far away (3DS)', 'bin_country_differs (+20)', 'Night (+12)'],
    failed: false,
  });
});

it('lets a list decide alone', () => {
  expect(byLists({ decision: 'REJECT', reasons: ['blocked_ip'] })).toMatchObject({ score: 100, decision: 'REJECT' });
  expect(byLists({ decision: 'ACCEPT', reasons: ['allowed_ip'] })).toMatchObject({ score: 0, decision: 'ACCEPT' });
});

it('scores locally by what is known, and explains every point', () => {
  expect(scoreLocally({})).toEqual({ points: 0, reasons: [] });
  const facts = { 'velocity_count(card, 1h)': 4, bin_country_differs: true, shipping_country_differs: null };
  expect(scoreLocally(facts)).toEqual({
    points: 50,
    reasons: [
      { name: 'card_velocity_1h', points: 30 },
      { name: 'bin_country_differs', points: 20 },
    ],
  });
  expect(scoreLocally({ ...facts, 'velocity_count(card, 1h)': 3 }).points).toBe(20);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), (count) => {
      const points = (n: number) =>
        scoreLocally({ 'velocity_count(ip, 24h)': n, 'velocity_count(card, 7d)': n }).points;
      expect(points(count + 1)).toBeGreaterThanOrEqual(points(count));
    }),
  );
});
