import { randomBytes } from 'node:crypto';
import { type KeyRing, seal, sha256 } from '#core/kernel/crypto.ts';
import { randomText } from '#core/kernel/ids.ts';
import { type SealedRcode, type SealedSecret, sealContext } from './site.ts';

const rcodeCharacters = 32;
const signingSecretBytes = 32;

/** A new secret: in the clear, to be shown once, and as the table keeps it. */
export type Fresh<S extends SealedSecret> = { text: string; kept: S };

export const freshRcode = (ring: KeyRing, sid: number): Fresh<SealedRcode> => {
  const text = randomText(rcodeCharacters);
  const sealed = seal(ring, sealContext.rcode(sid), text);
  return { text, kept: { sealed, digest: sha256(text), validUntil: null } };
};

/** @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
export const freshSigningSecret = (ring: KeyRing, sid: number): Fresh<SealedSecret> => {
  const text = `whsec_${randomBytes(signingSecretBytes).toString('base64')}`;
  return { text, kept: { sealed: seal(ring, sealContext.signingSecret(sid), text), validUntil: null } };
};
