import { isIP } from 'node:net';
import { iso, milliseconds } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';

/** A credential of a user's device, with which they sign in (WebAuthn). */
export type Passkey = {
  /** The credential's identifier, base64url. */
  id: string;
  /** The user's name for it. */
  name: string;
  /** The host that it was made for: a browser offers it nowhere else. */
  rpId: string;
  /** The credential's public key (COSE), base64url. */
  publicKey: string;
  /** The number of uses, as far as the device counts them; a value that does not increase points to a copy. */
  counter: number;
  /** The ways in which browsers reach the device. */
  transports: readonly string[];
  createdAt: string;
  lastUsedAt: string | null;
};

/** A challenge that a device has to sign, and what for. */
export type PasskeyChallenge = {
  id: string;
  /** 32 random bytes, base64url. */
  challenge: string;
  purpose: 'register' | 'sign-in';
  /** The user whose passkey has to sign; null: any user. */
  username: string | null;
  /** The sign-in that waits for a second factor; null: the passkey is the only proof, so the device must verify its user. */
  signIn: string | null;
  rpId: string;
  origin: string;
  expiresAt: string;
};

export const maxPasskeys = 10;
const validMilliseconds = 5 * milliseconds.minute;

/** When a challenge given now (ISO) expires. */
export const passkeyChallengeEnd = (at: string): string => iso(Date.parse(at) + validMilliseconds);

/**
 * The host and the origin that passkeys are bound to, from the address at which the caller reached the service; undefined if its host is an
 * IP address, for which browsers make no passkeys.
 * @see https://www.w3.org/TR/webauthn-3/#rp-id
 */
export const passkeyHostOf = (baseUrl: string): { rpId: string; origin: string } | undefined => {
  const { hostname, origin } = new URL(baseUrl);
  return isIP(hostname) !== 0 || hostname.startsWith('[') ? undefined : { rpId: hostname, origin };
};

type Described = Pick<Passkey, 'id' | 'transports'>;

const toDescriptors = (passkeys: readonly Described[]) =>
  passkeys.map(({ id, transports }) => ({ type: 'public-key' as const, id, transports: [...transports] }));

/** ES256, EdDSA and RS256, which all platforms have between them. */
const algorithms = [-7, -8, -257];

type Registering = { challenge: PasskeyChallenge; userHandle: string; username: string; known: readonly Described[] };

/** Returns the options for creating a passkey. The device must verify its user, because a passkey may be the only proof of a sign-in. */
export const creationOptions = ({ challenge, userHandle, username, known }: Registering) => ({
  challenge: challenge.challenge,
  rp: { id: challenge.rpId, name: 'Forewarn' },
  user: { id: userHandle, name: username, displayName: username },
  pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
  timeout: validMilliseconds,
  attestation: 'none' as const,
  excludeCredentials: toDescriptors(known),
  authenticatorSelection: {
    residentKey: 'required' as const,
    requireResidentKey: true,
    userVerification: 'required' as const,
  },
});

/** Returns the options for signing in with a passkey. `allowed`: only these; empty: any that the device has for this host. */
export const requestOptions = ({ challenge, rpId, signIn }: PasskeyChallenge, allowed: readonly Described[]) => ({
  challenge,
  rpId,
  timeout: validMilliseconds,
  allowCredentials: toDescriptors(allowed),
  userVerification: signIn === null ? ('required' as const) : ('preferred' as const),
});

/** Names the user to their devices. Not the username: WebAuthn forbids personal data there. */
export const userHandleOf = (username: string): string =>
  Buffer.from(sha256(`forewarn:${username}`), 'hex').toString('base64url');

/** A passkey as lists show it, names as on the wire. */
export const toPasskeyDto = ({ id, name, rpId, createdAt, lastUsedAt }: Passkey) => ({
  id,
  name,
  host: rpId,
  created_at: createdAt,
  last_used_at: lastUsedAt,
});
