import type { KeyRing } from '#core/kernel/crypto.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Authentication } from '../authentication/authentication.ts';
import { isClientToken } from './client-token.ts';

/** True if a payer's page may call, and the refusal if not. */

export type ClientCall = {
  id: number;
  token: string;
  /** The page's origin as the browser reports it; empty if it reports none. */
  origin: string;
};

/** The same words for a token that is wrong, another authentication's, or expired. */
const tokenWrong = (): Refusal =>
  new Refusal('client_token_wrong', 'client_token: make a new one with create3ds; it is good for 15 minutes.');

export const originWrong = (): Refusal =>
  new Refusal('page_origin_wrong', 'Call from the page whose origin create3ds was given as page_origin.');

/** Throws client_token_wrong or page_origin_wrong. `now`: milliseconds. */
export const checkClient = (
  authentication: Authentication | undefined,
  { id, token, origin }: ClientCall,
  { ring, now }: { ring: KeyRing; now: number },
): Authentication => {
  const { sid, pageOrigin } = authentication ?? { sid: 0, pageOrigin: '' };
  if (!authentication || !isClientToken(ring, { id, sid, pageOrigin }, token, now)) throw tokenWrong();
  if (origin !== pageOrigin) throw originWrong();
  return authentication;
};
