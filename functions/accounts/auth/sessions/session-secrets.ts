import { createECDH, randomBytes } from 'node:crypto';
import { Secret } from 'otpauth';
import { sha256 } from '#core/kernel/crypto.ts';
import { randomText } from '#core/kernel/ids.ts';

/** The secret that a browser keeps in a cookie, and its digest, which the table keeps. */
export type SessionSecret = { secret: string; digest: string };

const secretBytes = 32;
const idCharacters = 26;

export const newSessionSecret = (): SessionSecret => {
  const secret = randomBytes(secretBytes).toString('base64url');
  return { secret, digest: sha256(secret) };
};

/** 130 bits: cannot be guessed. */
export const newSessionId = (): string => randomText(idCharacters);
export const newChallengeId = (): string => randomText(idCharacters);

const factorBytes = 20;

/** The secret that a user's app shares with us, in base 32. */
export const newFactorSecret = (): string => new Secret({ size: factorBytes }).base32;

const codeCharacters = 10;
const codeCount = 10;

/** Ten codes, each good once in place of the second factor: `k3p9q-x7t2v`, 50 bits. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: codeCount }, () => {
    const text = randomText(codeCharacters);
    return `${text.slice(0, 5)}-${text.slice(5)}`;
  });

/** The token of a link that works once. */
export const newLinkToken = newSessionSecret;

/** The key pair that signs notifications to a user's devices, as VAPID writes it: points and numbers of P-256 in base64url. */
export const newPushKeys = (): { publicKey: string; privateKey: string } => {
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys('base64url');
  // Node leaves out leading zeros, which push libraries do not accept.
  const privateKey = pair.getPrivateKey();
  return {
    publicKey,
    privateKey: Buffer.concat([Buffer.alloc(32 - privateKey.length), privateKey]).toString('base64url'),
  };
};

/** Identifies a device in its user's list. */
export const newDeviceId = (): string => randomText(12);
