import { describe, expect, it } from 'vitest';
import { corpus, scoreCorpus } from './corpus.ts';

describe('matching of a labelled corpus', () => {
  const scores = scoreCorpus(corpus());
  const sum = (of: 'total' | 'decidable' | 'right' | 'wrong') => scores.reduce((total, one) => total + one[of], 0);

  it('has at least 400 alerts', () => expect(sum('total')).toBeGreaterThanOrEqual(400));

  it.each(scores)('decides no alert wrongly: $evidence', ({ wrong }) => expect(wrong).toBe(0));

  it.each(scores.filter(({ decidable }) => decidable > 0))(
    'decides nine of ten alerts that can be decided: $evidence',
    ({ right, decidable }) => expect(right / decidable).toBeGreaterThanOrEqual(0.9),
  );

  it.each(scores.filter(({ decidable }) => decidable === 0))(
    'leaves what cannot be decided to a person: $evidence',
    ({ right }) => expect(right).toBe(0),
  );
});
