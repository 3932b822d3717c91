import { json, type Reply } from '../world/network.ts';
import type { Random } from '../world/random.ts';

/** A processor's failure. `isDone`: it has still done what was requested; `late`: it does so after that many milliseconds. */
export type Mood = { reply: Reply; isDone: boolean; late?: number };

/** `failure`, `tooMany`: what it answers where something is wrong on its side, or it was asked too often. `more`: its own ways to fail. */
export const drawMood = (
  random: Random,
  { failure, tooMany = failure }: { failure: unknown; tooMany?: unknown },
  more: readonly Mood[] = [],
): Mood =>
  random.pick<Mood>([
    { reply: json(500, failure), isDone: random.chance(0.5) },
    { reply: json(429, tooMany), isDone: false },
    { reply: { kind: 'reset', delay: random.next() * 300 }, isDone: random.chance(0.5) },
    { reply: { kind: 'silence' }, isDone: random.chance(0.5) },
    ...more,
  ]);

/** Draws a request that is under way for longer than any time limit. */
export const lateMood = (random: Random): Mood => ({
  reply: { kind: 'silence' },
  isDone: false,
  late: 12_000 + random.next() * 30_000,
});

/** When a webhook comes, and how often: most within seconds, some hours later and after newer ones. */
export const momentsOfWebhook = (random: Random): number[] =>
  Array.from({ length: random.chance(0.3) ? 2 : 1 }, () => random.next() * (random.chance(0.3) ? 3 * 3_600_000 : 3000));
