import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { milliseconds, nowMilliseconds } from '#core/kernel/clock.ts';
import type { KeyRing } from '#core/kernel/crypto.ts';
import { readKeyRing } from '#core/kernel/key-ring.ts';
import { requireVariable } from '../operation/environment.ts';
import { operatorSecrets, type SecretName, variableOfSecret } from '../operation/grants.ts';
import { clientSettings } from '../table/aws.ts';

const client = new SecretsManagerClient(clientSettings);
const kept = new Map<SecretName, { reading: Promise<string | undefined>; until: number }>();

/**
 * The text of a secret in Secrets Manager; undefined if an operator has not created it. Cached for five minutes, so that a rotated secret is picked up without a
 * deployment; read once, however many callers want it at the same time.
 */
export const secretText = (name: SecretName): Promise<string | undefined> => {
  const held = kept.get(name);
  const time = nowMilliseconds();
  if (held && held.until > time) return held.reading;
  const reading = readSecret(name);
  kept.set(name, { reading, until: time + 5 * milliseconds.minute });
  // A failed read is forgotten, so that the next caller tries again; those waiting for it get the error.
  reading.catch(() => kept.delete(name));
  return reading;
};

const readSecret = async (name: SecretName): Promise<string | undefined> => {
  try {
    const SecretId = requireVariable(variableOfSecret(name));
    return (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString;
  } catch (error) {
    const mayBeMissing = operatorSecrets.some((one) => one === name);
    if (mayBeMissing && error instanceof Error && error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
};

const rings = new Map<SecretName, { text: string | undefined; ring: KeyRing }>();

/** The keys of a secret, `{"current": "k2", "k1": "…", "k2": "…"}` in Secrets Manager; the same object as long as they are the same. */
export const keyRing = async (name: SecretName): Promise<KeyRing> => {
  const text = await secretText(name);
  const held = rings.get(name);
  if (held && held.text === text) return held.ring;
  const ring = readKeyRing(text);
  rings.set(name, { text, ring });
  return ring;
};

/** The values of a secret that are valid now, the current one first. */
export const validKeys = async (name: SecretName): Promise<readonly string[]> => {
  const { current, keys } = await keyRing(name);
  const first = keys[current];
  const others = Object.entries(keys).flatMap(([key, value]) => (key === current ? [] : [value]));
  return first === undefined ? others : [first, ...others];
};
