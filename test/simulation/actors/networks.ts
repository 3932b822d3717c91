import type { Case, Observed } from '../outside-events.ts';
import { type Host, json, type Reply, type Request } from '../world/network.ts';
import { type Random, seedRandom } from '../world/random.ts';
import type { World } from '../world/world.ts';

/** Both alert networks: each takes one final outcome of a case, and has its bad days. */

type Network = 'provider_a' | 'provider_b';
type Outcome = { caseId: string; word: string; isFinal: boolean };
type Means = { world: World; observed: Observed; moods: number; until: number };

/** Alerts that provider_a offers to be fetched, by case. */
const offers = new WeakMap<World, Map<string, { sent: Case; body: object }>>();
const getOffers = (world: World) => {
  const known = offers.get(world) ?? new Map<string, { sent: Case; body: object }>();
  offers.set(world, known);
  return known;
};

/** Offers an alert until it is acknowledged. */
export const offerAlert = (world: World, sent: Case, body: object): void => {
  getOffers(world).set(sent.caseId, { sent, body });
};
export const hasOffers = (world: World): boolean => getOffers(world).size > 0;

/** Draws a network's failure. `isDone`: it has acted on the call before. */
const drawMood = (random: Random): { reply: Reply; isDone: boolean } =>
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
    const isPull = request.url.pathname.startsWith('/alerts');
    const random = seedRandom(world.seed, `${network} ${request.from.place}.${request.from.calls}`);
    const mood = world.timeline.now < until && random.chance(moods * 0.4) ? drawMood(random) : undefined;
    if (mood && !mood.isDone) return mood.reply;
    if (isPull) {
      const reply = answerPull({ world, observed }, request);
      return mood?.reply ?? { ...reply, delay: random.next() * 400 };
    }
    const answers = outcomesIn(request).map(take);
    return mood?.reply ?? { ...answer(answers), delay: random.next() * 400 };
  };
};

/** Returns the number of an alert that is stored, by the row of its case. */
const storedAlert = (world: World, caseId: string): number | undefined => {
  const row = world.table.items.get(`CASE#provider_a#${caseId}\nCASE`);
  return row && (row['case'] as { alertId: number }).alertId;
};

/** The Pull API: https://developer.mastercard.com/ethoca-alerts-for-merchants/documentation/tutorials-and-guides/pull-api-tutorial/ */
const answerPull = ({ world, observed }: Pick<Means, 'world' | 'observed'>, { url, body }: Request): Reply => {
  const open = getOffers(world);
  if (url.pathname === '/alerts') {
    const size = Number(url.searchParams.get('size'));
    return json(
      200,
      [...open.values()].slice(0, size).map((offered) => offered.body),
    );
  }
  const { acknowledges } = JSON.parse(body) as { acknowledges: { alertId: string }[] };
  for (const { alertId: caseId } of acknowledges) {
    const sent = open.get(caseId)?.sent;
    const alertId = storedAlert(world, caseId);
    if (alertId === undefined) observed.surprises.push(`${caseId} was acknowledged before it was stored`);
    else sent?.alertIds.add(alertId);
    if (sent) sent.isAcknowledged = true;
    open.delete(caseId);
  }
  return json(200, {});
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
