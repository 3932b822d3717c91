import { answerAlert, replay, replayOutcome } from './actors/merchant.ts';
import { type Disputed, sendCase, withdrawCase } from './actors/providers.ts';
import type { Case } from './outside-events.ts';
import type { Means } from './scenes.ts';
import type { Place } from './setup.ts';
import { type Random, seedRandom } from './world/random.ts';

const hour = 3_600_000;
const slot = 12 * hour;

export const newCase = (number: number, arn: string | undefined, random: Random): Case => {
  const provider = random.pick(['provider_a', 'provider_a', 'provider_b', 'provider_b', 'rdr'] as const);
  return {
    provider,
    caseId: `CASE${number}`,
    arn,
    informs: provider !== 'rdr' && random.chance(0.08),
    alertIds: new Set(),
    isAcknowledged: false,
    withdrawal: 'none',
  };
};

/** Draws the time of an action on an alert: immediately, around one of the next sweeps, or at any time of its life. */
const momentFor = (random: Random, start: number): number => {
  const kind = random.next();
  if (kind < 0.5) return start + random.next() * 4000;
  if (kind < 0.8) return Math.ceil(start / slot) * slot + random.int(6) * slot + (random.next() - 0.3) * 3000;
  return start + random.next() * 76 * hour;
};

/** `send`: how the alert comes, if not by its provider's call. */
type About = { disputed: Disputed; place: Exclude<Place, 'unknown'>; send?: (random: Random) => void };

/** Plays the actions of the provider, the merchant and the operators on one alert. */
export const playAlert = (
  { world, stage, observed, start, plan }: Means,
  sent: Case,
  { disputed, place, send }: About,
): void => {
  const random = seedRandom(world.seed, sent.caseId);
  const { alertSite: plain, ruledSite: ruled, linkedSite: linked, importer, exporter } = stage;
  const site = { plain, ruled, linked, importer, exporter }[place];
  observed.cases.push(sent);
  const copies = random.chance(0.35) ? 2 + random.int(2) : 1;
  const at = start + random.next() * (random.chance(0.5) ? 50 : 5000);
  const act = (work: (alertId: number) => void, time: number): void =>
    plan(time, () => {
      for (const alertId of [...sent.alertIds].slice(0, 1)) work(alertId);
    });
  const moments = Array.from({ length: random.int(4) }, () => momentFor(random, at));
  for (const moment of moments) {
    const twins = random.chance(0.3) ? 2 : 1;
    for (let twin = 0; twin < twins; twin += 1) {
      act((alertId) => answerAlert(world, observed, site, alertId, random), moment + twin * random.next() * 30);
    }
  }
  if (random.chance(0.12)) act((alertId) => replay(world, observed, `ntf_${alertId}`), momentFor(random, at));
  if (random.chance(0.08)) {
    const letter = sent.provider === 'provider_b' ? 'b' : 'a';
    act((alertId) => replayOutcome(world, `out_${letter}_${alertId}_1`), momentFor(random, at));
  }
  if (sent.provider !== 'provider_a' && random.chance(0.25)) {
    plan(momentFor(random, at - 1000), () => withdrawCase(world, sent));
  }
  plan(at, () => {
    if (send) send(random);
    else sendCase(world, sent, disputed, { place, copies, onAcknowledged: () => undefined }, random);
  });
};
