import type { Observed } from '../observed.ts';
import { type Host, json, type Reply, type Request } from '../world/network.ts';
import { type Random, randomOf } from '../world/random.ts';
import type { World } from '../world/world.ts';

/** Both alert networks: each takes one final outcome of a case, and has its bad days. */

type Network = 'provider_a' | 'provider_b';
type Outcome = { caseId: string; word: string; isFinal: boolean };
type Means = { world: World; observed: Observed; moods: number; until: number };

/** Draws a network's failure. `isDone`: it has acted on the call before. */
const moodOf = (random: Random): { reply: Reply; isDone: boolean } =>
  random.pick([
    { reply: json(500, {}), isDone: random.chance(0.5) },
    { reply: json(503, {}), isDone: false },
    { reply: { ...json(429, {}), headers: { 'retry-after': '90' } } as Reply, isDone: false },
    { reply: json(401, {}), isDone: false },
    { reply: { kind: 'reset', delay: random.next() * 300 }, isDone: random.chance(0.5) },
    { reply: { kind: 'silence' }, isDone: random.chance(0.5) },
    { reply: json(200, { strange: true }), isDone: true },
  ]);

type Answered = { caseId: string; taken: boolean; has: string | undefined };

/** A network that keeps its books: of each case the word of its final outcome, once there is one. */
const listening = (
  { world, observed, moods, until }: Means,
  network: Network,
  outcomesIn: (request: Request) => Outcome[],
  answer: (answers: readonly Answered[]) => Reply,
): Host => {
  const finals = new Map<string, string>();
  const take = ({ caseId, word, isFinal }: Outcome): Answered => {
    const has = finals.get(caseId);
    const taken = has === undefined || has === word;
    if (taken && isFinal) finals.set(caseId, word);
    observed.told.push({ time: world.timeline.now, network, caseId, word, isFinal, taken });
    return { caseId, taken, has };
  };
  return (request) => {
    const random = randomOf(world.seed, `${network} ${request.from.place}.${request.from.calls}`);
    const mood = world.timeline.now < until && random.chance(moods * 0.4) ? moodOf(random) : undefined;
    if (mood && !mood.isDone) return mood.reply;
    const answers = outcomesIn(request).map(take);
    return mood?.reply ?? { ...answer(answers), delay: random.next() * 400 };
  };
};

/** Words that leave a case open. */
const openWords = ['IN_PROGRESS', 'SHIPPER_CONTACTED'];

const hearA = ({ body }: Request): Outcome[] =>
  (JSON.parse(body) as { outcomes: { alertId: string; outcome: string }[] }).outcomes.map(({ alertId, outcome }) => ({
    caseId: alertId,
    word: outcome,
    isFinal: !openWords.includes(outcome),
  }));

const hearB = ({ url, body }: Request): Outcome[] => {
  const word = (JSON.parse(body) as { statusCode: string }).statusCode;
  return [{ caseId: decodeURIComponent(url.pathname.split('/').at(-1) ?? ''), word, isFinal: word !== '999' }];
};

const already = (has: string | undefined) => ({
  Error: [{ ReasonCode: 'OUTCOME_ALREADY_PROVIDED', Recoverable: false, Details: has }],
});

const answerA = (answers: readonly Answered[]): Reply =>
  json(200, {
    outcomeResponses: answers.map(({ caseId: alertId, taken, has }) =>
      taken ? { alertId, status: 'SUCCESS' } : { alertId, status: 'FAILURE', errors: already(has) },
    ),
  });

const answerB = ([answer]: readonly Answered[]): Reply =>
  answer?.taken ? json(200, {}) : json(409, { status: 'CLOSED', statusCode: answer?.has ?? '' });

/** Has both networks listen. `moods`: how often they fail, up to a time. */
export const openNetworks = (means: Means): void => {
  const { network } = means.world;
  network.listen('network-a.example', listening(means, 'provider_a', hearA, answerA));
  network.listen('network-b.example', listening(means, 'provider_b', hearB, answerB));
};
