import { equalSecrets, hmacSha256, type KeyRing } from '#core/kernel/crypto.ts';

/**
 * The value with which the sandbox's issuers prove an authentication: twenty bytes of an HMAC over the directory server's identifier and
 * the status. It lets the sandbox processor distinguish their results from made-up ones.
 */

type Authenticated = { dsTransId: string; transStatus: string };

const valueWith = (key: string, { dsTransId, transStatus }: Authenticated): string =>
  Buffer.from(hmacSha256(`sandbox-3ds:${key}`, `${dsTransId}:${transStatus}`).slice(0, 40), 'hex').toString('base64');

export const sandboxValueOf = (ring: KeyRing, authenticated: Authenticated): string =>
  valueWith(ring.keys[ring.current] ?? '', authenticated);

/** Checks whether a value comes from one of the sandbox's issuers, by any key that is or was current. */
export const isSandboxValue = (ring: KeyRing, authenticated: Authenticated, value: string): boolean =>
  Object.values(ring.keys).filter((key) => equalSecrets(value, valueWith(key, authenticated))).length > 0;
