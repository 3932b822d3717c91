import { equalSecrets, hmacSha256, type KeyRing } from '../../core/crypto.ts';

/**
 * What the sandbox's issuers prove an authentication with: twenty bytes of an HMAC over the directory server's identifier and
 * the status. The sandbox processor can so tell a result of theirs from one that somebody made up.
 */

type Authenticated = { dsTransId: string; transStatus: string };

const valueWith = (key: string, { dsTransId, transStatus }: Authenticated): string =>
  Buffer.from(hmacSha256(`sandbox-3ds:${key}`, `${dsTransId}:${transStatus}`).slice(0, 40), 'hex').toString('base64');

export const sandboxValueOf = (ring: KeyRing, authenticated: Authenticated): string =>
  valueWith(ring.keys[ring.current] ?? '', authenticated);

/** Whether a value is one of the sandbox's issuers, by any key that is or was the current one. */
export const isSandboxValue = (ring: KeyRing, authenticated: Authenticated, value: string): boolean =>
  Object.values(ring.keys).filter((key) => equalSecrets(value, valueWith(key, authenticated))).length > 0;
