import { describe, expect, it, vi } from 'vitest';
import type { Scorer } from '#payments/fraud/scorers/scorer.ts';
import { anonymousSubject, aSubject, keptCard } from './samples.ts';

export type ScorerFixture = {
  ask: Scorer;
  /** Null: it makes no calls. */
  service: {
    /** Lets the service answer with so many hundredths of the worst. */
    scores: (points: number) => void;
    answers: (answer: { status: number; body: string } | 'silence' | 'hang up') => void;
    /** Answers that are no score. */
    noScores: readonly string[];
    /** All that was sent to it. */
    sent: () => string;
  } | null;
};

/** The promises of every scorer: see functions/payments/fraud/scorers/scorer.ts. */
export const scorerContract = (name: string, fixture: () => ScorerFixture): void => {
  describe(`${name} keeps what a scorer promises:`, () => {
    it('whole points from 0 to 100, and why', async () => {
      const { ask, service } = fixture();
      for (const points of [0, 37, 100]) {
        service?.scores(points);
        for (const subject of [aSubject(), anonymousSubject(), anonymousSubject({ kind: 'check', txid: null })]) {
          const score = await ask(subject, { bin_country_differs: true });
          expect(Number.isInteger(score.points) && score.points >= 0 && score.points <= 100).toBe(true);
          if (service) expect(score.points).toBe(points);
          expect(score.points === 0 || score.reasons.length > 0).toBe(true);
        }
      }
    });

    it('no card number and no fingerprint leaves this service', async () => {
      const { ask, service } = fixture();
      service?.scores(1);
      await ask(aSubject({ card: keptCard({ token: 'f'.repeat(40) }) }), {});
      expect(service?.sent() ?? '').not.toMatch(/424242\d*4242|ffffffffff/);
    });

    it('it throws for what is no score, and repeats nothing of it', async () => {
      const { ask, service } = fixture();
      const bodies = service?.noScores ?? [];
      const answers = [...bodies.map((body) => ({ status: 200, body })), { status: 500, body: 'Anna 4242' }, 'hang up'];
      for (const answer of service ? (answers as Parameters<typeof service.answers>[0][]) : []) {
        service?.answers(answer);
        const failure = await ask(aSubject(), {}).then(
          () => 'a score',
          (error: Error) => error.message,
        );
        expect(failure).toMatch(/answered (200|500)|fetch failed/);
        expect(failure).not.toMatch(/anna|4242/i);
      }
    });

    it('within three seconds, or it throws', async () => {
      const { ask, service } = fixture();
      service?.answers('silence');
      const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new Error('timed out')));
      if (service) await expect(ask(aSubject(), {})).rejects.toThrow('timed out');
      else expect(await ask(aSubject(), {})).toMatchObject({ points: 0 });
      expect(timeout.mock.calls).toEqual(service ? [[3000]] : []);
      timeout.mockRestore();
    });
  });
};
