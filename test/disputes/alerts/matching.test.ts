import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ClaimCandidate, matchClaims } from '#disputes/alerts/intake/matching.ts';

const rules = ['BIN_CAID', 'ARN', 'EXACT', 'PREFIX'] as const;

const aClaim = (change: Partial<ClaimCandidate> = {}): ClaimCandidate => ({
  rule: 'EXACT',
  length: 8,
  sid: 1,
  mid: 1,
  enrollmentId: 1,
  descriptor: 'SHOP',
  enrolledAt: '2026-01-01T00:00:00.000Z',
  ...change,
});

const candidates = fc
  .array(
    fc.record({
      rule: fc.constantFrom(...rules),
      length: fc.integer({ min: 1, max: 6 }),
      sid: fc.integer({ min: 1, max: 9 }),
      enrollmentId: fc.integer({ min: 1, max: 9 }),
      descriptor: fc.constant('SHOP'),
      enrolledAt: fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'),
    }),
  )
  .map((list) => list.map((one): ClaimCandidate => ({ ...one, mid: Math.ceil(one.sid / 3) })));

const strength = ({ rule, length }: ClaimCandidate) => [-rules.indexOf(rule), rule === 'PREFIX' ? length : 0] as const;
const isStronger = (left: ClaimCandidate, right: ClaimCandidate) => {
  const [a, b] = [strength(left), strength(right)];
  return a[0] > b[0] || (a[0] === b[0] && a[1] > b[1]);
};

describe('matching', () => {
  it('finds no owner without a claim', () => expect(matchClaims([])).toEqual({ unmatchedBecause: 'no_match' }));

  it('applies the rules in their order, regardless of who enrolled first', () => {
    const byRule = rules.map((rule, index) =>
      aClaim({
        rule,
        sid: index,
        mid: index,
        length: 64 - index,
        enrolledAt: `2026-0${9 - index}-01T00:00:00.000Z`,
      }),
    );
    for (let from = 0; from < rules.length; from += 1) {
      expect(matchClaims(byRule.slice(from).reverse())).toMatchObject({ candidate: { rule: rules[from] } });
    }
  });

  it('prefers the longest prefix', () => {
    const short = aClaim({ rule: 'PREFIX', length: 4, mid: 2, sid: 2, enrolledAt: '2020-01-01T00:00:00.000Z' });
    const long = aClaim({ rule: 'PREFIX', length: 5 });
    expect(matchClaims([short, long])).toMatchObject({ candidate: { sid: 1 } });
  });

  it('gives a tie of two merchants to neither, however old one enrollment is', () => {
    const old = aClaim({ mid: 2, sid: 2, enrolledAt: '2020-01-01T00:00:00.000Z' });
    expect(matchClaims([aClaim(), old])).toEqual({ unmatchedBecause: 'tie' });
  });

  it("gives a tie of one merchant's sites to the older enrollment", () => {
    const old = aClaim({ sid: 2, enrollmentId: 2, enrolledAt: '2020-01-01T00:00:00.000Z' });
    expect(matchClaims([aClaim(), old])).toMatchObject({ candidate: { sid: 2 } });
  });

  it('gives a tie of sites that enrolled at the same time to the lower enrollment number, then to the lower site number', () => {
    const [early, late] = [aClaim({ sid: 2, enrollmentId: 3 }), aClaim({ sid: 1, enrollmentId: 5 })];
    const [low, high] = [aClaim({ sid: 1 }), aClaim({ sid: 2 })];
    for (const [first, second, winner] of [
      [early, late, early],
      [late, early, early],
      [low, high, low],
      [high, low, low],
    ] as const)
      expect(matchClaims([first, second])).toEqual({ candidate: winner });
  });

  it('is the same in whatever order the claims are read', () => {
    fc.assert(
      fc.property(candidates, fc.integer(), (list, seed) => {
        const shuffled = [...list].sort((left, right) => ((left.sid * 7 + seed) % 5) - ((right.sid * 3 + seed) % 5));
        const [one, other] = [matchClaims(list), matchClaims(shuffled)];
        const winner = (match: typeof one) =>
          'candidate' in match ? strength(match.candidate).join() + match.candidate.sid : match.unmatchedBecause;
        expect(winner(one)).toBe(winner(other));
      }),
    );
  });

  it('never passes over a more specific claim, nor takes one that another merchant equals', () => {
    fc.assert(
      fc.property(candidates, (list) => {
        const match = matchClaims(list);
        if (!('candidate' in match)) {
          const best = list.filter((one) => !list.some((other) => isStronger(other, one)));
          const merchants = new Set(best.map(({ mid }) => mid)).size;
          expect(match.unmatchedBecause).toBe(merchants === 0 ? 'no_match' : 'tie');
          expect(merchants).not.toBe(1);
          return;
        }
        const { candidate } = match;
        expect(list.some((other) => isStronger(other, candidate))).toBe(false);
        const equals = list.filter((other) => !isStronger(candidate, other));
        expect(equals.every(({ mid }) => mid === candidate.mid)).toBe(true);
        expect(equals.every(({ enrolledAt }) => enrolledAt >= candidate.enrolledAt)).toBe(true);
      }),
    );
  });
});
