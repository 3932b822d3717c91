import * as ids from '#core/kernel/ids.ts';
import * as platformSecrets from '#core/platform/secrets/secrets.ts';
import { pullAtSlot } from '#disputes/outcomes/pull/pull-flow.ts';
import { secrets } from './environment.ts';
import type { PreviousRelease } from './previous/kept-handlers.ts';
import { enter } from './world/machine.ts';
import { World } from './world/world.ts';

/**
 * Resets the state of the service's modules to that before the first history: a history goes the same way alone and after others.
 */

const perMillisecond = 4096;
const day = 86_400_000;
const longAgo = Date.UTC(2020, 0, 1);
const farAhead = Date.UTC(2090, 0, 1);

/** The numbers that identifiers are made of: from the beginning again. */
export const settleModules = (world: World, { newTimedId }: Pick<PreviousRelease, 'newTimedId'> = ids): void => {
  const { now } = world.timeline;
  world.timeline.now = longAgo;
  let id = newTimedId();
  while (id % perMillisecond !== perMillisecond - 1) id = newTimedId();
  world.timeline.now = now;
};

/** A function that fetches alerts pauses after failures, and remembers that: it begins without a pause. */
export const endPauses = async (world: World, pull: typeof pullAtSlot = pullAtSlot): Promise<void> => {
  const { now } = world.timeline;
  world.timeline.now = farAhead;
  await pull(new Date(farAhead).toISOString(), async () => ({
    list: async () => [],
    acknowledge: async () => undefined,
  }));
  world.timeline.now = now;
};

type OwnSecrets = Pick<PreviousRelease, 'keyRing' | 'secretText'>;

/** Runs something in a world of its own, at a time that no history reaches. */
const runAlone = async (world: World, work: () => Promise<void>): Promise<void> => {
  enter(world);
  world.lambda.invoke({ name: 'secrets', timeoutSeconds: 60 }, work, undefined, () => undefined);
  await world.timeline.runUntil(world.timeline.now + 60_000);
  enter(undefined);
};

/** Secrets are kept for five minutes of a time that no history reaches, so that none has to read them. */
export const keepSecrets = async ({ keyRing, secretText }: OwnSecrets = platformSecrets): Promise<void> => {
  const names = ['encryption', 'provider-a', 'provider-b', 'rdr'] as const;
  await runAlone(new World({ seed: 0, secrets, start: farAhead }), async () => {
    await Promise.all(names.map(keyRing));
    await Promise.all((['outcome-provider-a', 'outcome-provider-b'] as const).map(secretText));
  });
};

/** Makes a process read its secrets again, as a new one does: a read that fails is not kept. */
export const forgetSecrets = async ({ secretText }: OwnSecrets = platformSecrets): Promise<void> => {
  const world = new World({ seed: 0, secrets, start: farAhead + day });
  world.call = () => Promise.reject(new Error('There are no secrets'));
  const names = Object.keys(secrets) as (keyof typeof secrets)[];
  await runAlone(world, async () => {
    await Promise.allSettled(names.map(secretText));
  });
};
