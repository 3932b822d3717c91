import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { KeyRing } from './crypto.ts';

/**
 * A ring of keys as Secrets Manager keeps it: `{"current": "k2", "k2": "…", "retired:k1": "card=… order=… sandbox=…"}`. What a key has
 * sealed can be resealed; what was only digested with it (card numbers, contents of orders, references of the sandbox) cannot,
 * because the original values are not kept. So a retired key leaves behind what recognises those digests, and nothing else.
 */

const keptPurposes = ['card', 'order', 'sandbox'] as const;
export type KeptPurpose = (typeof keptPurposes)[number];

const Texts = v.pipe(
  v.string(),
  v.parseJson(),
  v.intersect([v.object({ current: v.string() }), v.record(v.string(), v.string())]),
);
const retiredPrefix = 'retired:';
const partOf = /(\w+)=([\da-f]{64})/g;

export const readKeyRing = (text: string | undefined): KeyRing => {
  const { current, ...named } = v.parse(Texts, text);
  const entries = Object.entries(named);
  const isRetired = ([name]: [string, string]) => name.startsWith(retiredPrefix);
  const retired = entries.filter(isRetired).map(([name, parts]) => {
    const kept = [...parts.matchAll(partOf)].map(([, purpose = '', digest = '']) => [purpose, digest]);
    return [name.slice(retiredPrefix.length), Object.fromEntries(kept)];
  });
  return {
    current,
    keys: Object.fromEntries(entries.filter((entry) => !isRetired(entry))),
    ...(retired.length > 0 && { retired: Object.fromEntries(retired) }),
  };
};

export const writeKeyRing = ({ current, keys, retired = {} }: KeyRing): string =>
  JSON.stringify({
    current,
    ...keys,
    ...Object.fromEntries(
      Object.entries(retired).map(([name, parts]) => [
        `${retiredPrefix}${name}`,
        Object.entries(parts)
          .map(([purpose, digest]) => `${purpose}=${digest}`)
          .join(' '),
      ]),
    ),
  });

const keyNumber = (name: string): number => Number(/^k(\d+)$/.exec(name)?.[1] ?? 0);
export const newestKey = ({ keys }: KeyRing): string =>
  Object.keys(keys).toSorted((left, right) => keyNumber(right) - keyNumber(left))[0] ?? '';

/** Returns the key ring with one more key. Nothing may be sealed with it until every reader of the key ring knows it. */
export const withKey = (ring: KeyRing, secret: string): KeyRing => {
  const names = [...Object.keys(ring.keys), ...Object.keys(ring.retired ?? {})];
  const name = `k${Math.max(...names.map(keyNumber)) + 1}`;
  return { ...ring, keys: { ...ring.keys, [name]: secret } };
};

/** SHA-256's block: HMAC replaces a longer key by its digest, so the part that is kept works like the key. */
const blockBytes = 64;

/**
 * Returns the key ring without a key, but with the derived keys that recognise its digests. Throws an Error for the current key, and for
 * one too short to have been generated.
 */
export const withoutKey = (ring: KeyRing, name: string): KeyRing => {
  const { [name]: secret, ...keys } = ring.keys;
  if (secret === undefined) throw new Error(`The ring has no key ${name}`);
  if (name === ring.current) throw new Error(`${name} is the current key`);
  const parts = keptPurposes.map((purpose) => {
    const key = Buffer.from(`${purpose}:${secret}`);
    if (key.length <= blockBytes) throw new Error(`${name} is shorter than the keys that are generated`);
    return [purpose, createHash('sha256').update(key).digest('hex')];
  });
  return { ...ring, keys, retired: { ...ring.retired, [name]: Object.fromEntries(parts) } };
};

/** Derives the HMAC key for a purpose from the named key of the key ring, which may be retired. */
export const purposeKey = (
  { keys, retired = {} }: KeyRing,
  name: string,
  purpose: KeptPurpose,
): string | Uint8Array | undefined => {
  const secret = Object.hasOwn(keys, name) ? keys[name] : undefined;
  if (secret !== undefined) return `${purpose}:${secret}`;
  const part = Object.hasOwn(retired, name) ? retired[name]?.[purpose] : undefined;
  return part === undefined ? undefined : Buffer.from(part, 'hex');
};

/** The keys of a purpose, the current one first. */
export const purposeKeys = (ring: KeyRing, purpose: KeptPurpose): (string | Uint8Array)[] => {
  const others = [...Object.keys(ring.keys), ...Object.keys(ring.retired ?? {})].filter(
    (name) => name !== ring.current,
  );
  return [ring.current, ...others].flatMap((name) => purposeKey(ring, name, purpose) ?? []);
};

/** The key of a purpose that never changes: the first key's, even after that key was retired. */
export const oldestPurposeKey = (ring: KeyRing, purpose: KeptPurpose): string | Uint8Array => {
  const names = [...Object.keys(ring.keys), ...Object.keys(ring.retired ?? {})];
  const [oldest = ring.current] = names.toSorted((left, right) => keyNumber(left) - keyNumber(right));
  return purposeKey(ring, oldest, purpose) ?? '';
};

/** Reseals a text sealed for a context; returns the same text if it is sealed with the current key. */
export type Reseal = (context: string, sealed: string) => string;
