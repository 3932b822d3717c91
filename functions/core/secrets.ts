import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { clientSettings } from './aws.ts';
import { milliseconds, nowMilliseconds } from './clock.ts';
import type { KeyRing } from './crypto.ts';
import { required } from './environment.ts';
import { type SecretName, variableOfSecret } from './grants.ts';

const client = new SecretsManagerClient(clientSettings);
const KeyRingText = v.pipe(
  v.string(),
  v.parseJson(),
  v.intersect([v.object({ current: v.string() }), v.record(v.string(), v.string())]),
);
const kept = new Map<SecretName, { reading: Promise<string | undefined>; until: number }>();

/**
 * The text of a secret in Secrets Manager. Kept for five minutes, so that a rotated secret is taken up without a
 * deployment; asked for once, however many want it at the same time.
 */
export const secretText = (name: SecretName): Promise<string | undefined> => {
  const held = kept.get(name);
  const time = nowMilliseconds();
  if (held && held.until > time) return held.reading;
  const reading = readSecret(name);
  kept.set(name, { reading, until: time + 5 * milliseconds.minute });
  // A failed read is forgotten, so that the next caller tries again; whoever waits for it hears of it.
  reading.catch(() => kept.delete(name));
  return reading;
};

const readSecret = async (name: SecretName): Promise<string | undefined> =>
  (await client.send(new GetSecretValueCommand({ SecretId: required(variableOfSecret(name)) }))).SecretString;

/** The keys of a secret, `{"current": "k2", "k1": "…", "k2": "…"}` in Secrets Manager. */
export const keyRing = async (name: SecretName): Promise<KeyRing> => {
  const { current, ...keys } = v.parse(KeyRingText, await secretText(name));
  return { current, keys };
};

/** The values of a secret that are valid now, the current one first. */
export const validKeys = async (name: SecretName): Promise<readonly string[]> => {
  const { current, keys } = await keyRing(name);
  const first = keys[current];
  const others = Object.entries(keys).flatMap(([key, value]) => (key === current ? [] : [value]));
  return first === undefined ? others : [first, ...others];
};
