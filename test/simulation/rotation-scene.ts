import { readSealedRows, resealRows } from '#bin/commands/secret.ts';
import { newestKey, readKeyRing, withKey, withoutKey, writeKeyRing } from '#core/kernel/key-ring.ts';
import { newCase, playAlert } from './alert-play.ts';
import type { Means } from './scenes.ts';
import { type Random, seedRandom } from './world/random.ts';
import type { World } from './world/world.ts';

/**
 * An operator replaces keys while the service works, as docs/operations.md says: in steps, with pauses in which each process reads the secret
 * again. In these histories two processes handle the events.
 */
const [minute, hour] = [60_000, 3_600_000];
/** Twice the time for which functions keep a secret. */
const pause = 10 * minute;
/** Values that are sealed for a payer last a day. */
const longestSealed = 25 * hour;

/** Modules that the commands load lazily. They are loaded before, so that all histories go the same way. */
const loadedLate = [
  'accounts/auth/single-sign-on/single-sign-on',
  'accounts/auth/single-sign-on/single-sign-on-row',
  'accounts/auth/users/resealed-user',
  'accounts/auth/users/user-row',
  'accounts/merchants/site/resealed-site',
  'accounts/merchants/site/site-row',
  'core/platform/lists/count-repair-store',
  'core/platform/table/reseal-store',
  'disputes/connections/connection-row',
  'disputes/connections/resealed-connections',
  'payments/orders/source/order-source',
  'payments/orders/source/order-source-row',
  'payments/processors/routing/resealed-routes',
  'payments/processors/routing/site-processors-row',
] as const;
await Promise.all(loadedLate.map((name) => import(`../../functions/${name}.ts`)));

export const rotatesKeys = (seed: number): boolean => seedRandom(seed, 'rotation').chance(0.08);

const readRing = (world: World, name: string) => readKeyRing(world.secrets[name]);
const newSecret = (random: Random): string => random.bytes(32).toString('hex');

/** Runs an operator's command until it succeeds. */
const runCommand = (world: World, name: string, work: () => Promise<void>): void => {
  world.lambda.invoke({ name, timeoutSeconds: 900, isMortal: false }, work, undefined, ({ kind }) => {
    if (kind !== 'done') world.timeline.after(minute, () => runCommand(world, name, work));
  });
};

/** The key that seals: a second one is added, becomes current, everything is resealed, and the first is retired. */
const rotateEncryption = ({ world, plan }: Means, start: number, random: Random): void => {
  const later = () => pause * (1 + random.next() ** 3 * 6);
  const write = (ring: ReturnType<typeof readKeyRing>, what: string) => {
    world.secrets['encryption'] = writeKeyRing(ring);
    world.note(`OPERATOR ${what}`);
  };
  const currentAt = start + later();
  const resealAt = currentAt + later();
  plan(start, () => write(withKey(readRing(world, 'encryption'), newSecret(random)), 'adds a key'));
  plan(currentAt, () => {
    const ring = readRing(world, 'encryption');
    write({ ...ring, current: newestKey(ring) }, 'makes it the current key');
  });
  const reseal = async (): Promise<void> => {
    await resealRows(readRing(world, 'encryption'));
  };
  plan(resealAt, () => runCommand(world, 'reseal', reseal));
  const retire = async (): Promise<void> => {
    // Rows that changed meanwhile are sealed again; rows whose summary an index does not have yet are found the next time.
    await reseal();
    const { k1 = 0 } = await readSealedRows();
    if (k1 > 0) throw new Error(`${k1} values are sealed with k1`);
    const ring = readRing(world, 'encryption');
    if (Object.hasOwn(ring.keys, 'k1')) write(withoutKey(ring, 'k1'), 'retires the first key');
  };
  if (random.chance(0.7)) plan(currentAt + longestSealed + later(), () => runCommand(world, 'retire', retire));
};

/** The key by which a provider signs: the provider uses the second when every process knows it, and the first is removed later. */
const rotateSignatures = ({ world, plan }: Means, start: number, random: Random): void => {
  const name = random.pick(['provider-a', 'provider-b', 'rdr'] as const);
  const key = newSecret(random);
  plan(start, () => {
    const { current, keys } = readRing(world, name);
    world.secrets[name] = writeKeyRing({ current, keys: { ...keys, k2: key } });
    world.note(`OPERATOR adds a key to ${name}`);
  });
  const usedAt = start + pause + random.next() ** 3 * hour;
  plan(usedAt, () => {
    world.signingKeys.set(name, key);
    world.note(`${name} signs with the second key`);
  });
  plan(usedAt + pause, () => {
    world.secrets[name] = writeKeyRing({ current: 'k2', keys: { k2: key } });
    world.note(`OPERATOR removes the first key of ${name}`);
  });
};

/** Alerts that come in while the keys are replaced, some minutes apart, so that each process has read the secrets at another time. */
const playAlertsFrom = (means: Means, start: number, random: Random): void => {
  const alerts = 6;
  for (let number = 0; number < alerts; number += 1) {
    const disputed = {
      amount: `${90 + number}.00`,
      card: { first6: '411111', last4: '1111' },
      at: new Date(means.start - (50 + number) * hour).toISOString(),
      arn: undefined,
    };
    const at = start + (number + random.next()) * 12 * minute;
    playAlert({ ...means, start: at }, newCase(900 + number, undefined, random), { disputed, place: 'plain' });
  }
};

export const playRotation = (means: Means): void => {
  const { world, start } = means;
  const random = seedRandom(world.seed, 'rotation of keys');
  const begin = start + minute + random.next() * (random.chance(0.5) ? 10 * minute : 20 * hour);
  playAlertsFrom(means, begin, random);
  rotateEncryption(means, begin + random.next() * 20 * minute, random);
  if (random.chance(0.6)) rotateSignatures(means, begin + random.next() * 20 * minute, random);
};
