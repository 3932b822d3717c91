import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** SHA-256, hexadecimal. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** HMAC-SHA256 over text or bytes, hexadecimal. */
export const hmacSha256 = (key: string | Uint8Array, data: string | Uint8Array): string =>
  createHmac('sha256', key).update(data).digest('hex');

/** Compares two texts in a time that depends on neither: their digests are compared, as lengths may differ. */
export const equalSecrets = (left: string, right: string): boolean =>
  timingSafeEqual(createHash('sha256').update(left).digest(), createHash('sha256').update(right).digest());

/** Named keys; new values are sealed with `current`, old ones open with the key they name. */
export type KeyRing = {
  current: string;
  keys: Readonly<Record<string, string>>;
  /** Derived keys that recognise digests made with removed keys: see core/kernel/key-ring.ts. */
  retired?: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

/**
 * Keys derived from each key ring, cached because a payment opens several values and derivation is slow. They are stored as key objects:
 * Node would create one from bytes for each value, which takes longer than opening the value.
 */
const derived = new WeakMap<KeyRing, Map<string, KeyObject>>();

const deriveKey = (ring: KeyRing, name: string): KeyObject => {
  const known = derived.get(ring)?.get(name);
  if (known) return known;
  const secret = ring.keys[name];
  if (secret === undefined) throw new Error(`The encryption secret has no key named ${name}`);
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'forewarn/seal', 32)));
  derived.set(ring, (derived.get(ring) ?? new Map<string, KeyObject>()).set(name, key));
  return key;
};

/** The name of the key that a value was sealed with. */
export const keyNameOf = (sealed: string): string => sealed.split('.')[0] ?? '';

/**
 * Encrypts a secret for storage (AES-256-GCM): `key.nonce.tag.text`, base64url. `context` (say `site:12:rcode`) must be
 * given again to open it, so that a sealed value copied into another row does not open there.
 */
export const seal = (ring: KeyRing, context: string, text: string): string => {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(ring, ring.current), nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return [ring.current, ...[nonce, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'))].join('.');
};

/** Decrypts what `seal` made. Throws if it was changed or belongs to another context. */
export const open = (ring: KeyRing, context: string, sealed: string): string => {
  const [name = '', nonce = '', tag = '', text = ''] = sealed.split('.');
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(ring, name), Buffer.from(nonce, 'base64url'), {
    authTagLength: 16,
  });
  decipher.setAAD(Buffer.from(context)).setAuthTag(Buffer.from(tag, 'base64url'));
  return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString('utf8');
};
