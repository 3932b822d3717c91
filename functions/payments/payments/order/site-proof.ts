import { sha256 } from '#core/kernel/crypto.ts';
import { signingKeyOf, timeOfSignature } from '#core/kernel/provider-signature.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { rcodeOfHash, timestampProblem } from './hashes.ts';

/**
 * The proof that a site makes a call: the contract's md5 of a few fields, or a signature of the whole body. `at`: when the call arrived,
 * milliseconds.
 */
export type SiteProof = string | SignedBody;
export type SignedBody = { header: string; body: string; at: number };

type Call = { headers: Readonly<Record<string, string | undefined>>; rawBody: string };

/** The proof of a call. `hash`: its field of that name. Throws request_invalid if there is no proof. */
export const siteProofOf = ({ headers, rawBody }: Call, hash: string | undefined, at: number): SiteProof => {
  const header = headers['x-signature'];
  if (header !== undefined) return { header, body: rawBody, at };
  if (hash !== undefined) return hash;
  throw new Refusal('request_invalid', 'hash: is required, unless the header x-signature signs the body');
};

export const isSigned = (proof: SiteProof): proof is SignedBody => typeof proof !== 'string';

/** Describes the problem of a proof's `timestamp`; a signature has its own. `now`: milliseconds. */
export const proofTimestampProblem = (
  proof: SiteProof,
  timestamp: string | undefined,
  now: number,
): string | undefined => {
  if (isSigned(proof)) return undefined;
  return timestamp === undefined ? 'is required' : timestampProblem(timestamp, now);
};

/** Which of a site's rcodes a proof was made with; undefined if none. `expected`: the hash of an rcode, or several of which each will do. */
export const rcodeOfProof = (
  proof: SiteProof,
  rcodes: readonly string[],
  expected: (rcode: string) => string | readonly string[],
): string | undefined =>
  isSigned(proof) ? signingKeyOf(proof.header, proof.body, rcodes, proof.at) : rcodeOfHash(proof, rcodes, expected);

/** The refusal of a proof that no rcode of the site makes. `words`: what the hash must be of. */
export const proofWrong = (proof: SiteProof, words: string): Refusal =>
  isSigned(proof)
    ? new Refusal(
        'signature_invalid',
        'x-signature: must be t=<Unix seconds>,v1=<hex HMAC-SHA256 of t, a full stop and the body, with the rcode as key>; ' +
          `t must be within five minutes of this server's time, which is ${Math.floor(proof.at / 1000)}`,
      )
    : new Refusal('hash_wrong', words);

/** The name of what a proof proves, for as long as it is valid: the same time and body are the same call. */
export const nameOfProof = (proof: SiteProof): string =>
  isSigned(proof) ? `${timeOfSignature(proof.header)}.${sha256(proof.body)}` : proof.toLowerCase();
