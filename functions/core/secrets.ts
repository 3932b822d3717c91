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
const kept = new Map<SecretName, { ring: KeyRing; until: number }>();

/**
 * The keys of a secret, `{"current": "k2", "k1": "…", "k2": "…"}` in Secrets Manager. Kept for five minutes, so that a
 * rotated secret is taken up without a deployment.
 */
export const keyRing = async (name: SecretName): Promise<KeyRing> => {
  const held = kept.get(name);
  const time = nowMilliseconds();
  if (held && held.until > time) return held.ring;
  const answer = await client.send(new GetSecretValueCommand({ SecretId: required(variableOfSecret(name)) }));
  const { current, ...keys } = v.parse(KeyRingText, answer.SecretString);
  const ring = { current, keys };
  kept.set(name, { ring, until: time + 5 * milliseconds.minute });
  return ring;
};

/** The values of a secret that are valid now, the current one first. */
export const validKeys = async (name: SecretName): Promise<readonly string[]> => {
  const { current, keys } = await keyRing(name);
  const first = keys[current];
  const others = Object.entries(keys).flatMap(([key, value]) => (key === current ? [] : [value]));
  return first === undefined ? others : [first, ...others];
};
