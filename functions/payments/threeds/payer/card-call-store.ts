import { type Card, readCard } from '#core/kernel/card/card.ts';
import { nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import type { KeyRing } from '#core/kernel/crypto.ts';
import { log } from '#core/platform/log/log.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Authentication } from '../authentication/authentication.ts';
import { ClaimConflictError, getAuthentication } from '../authentication/authentication-store.ts';
import type { Unavailable } from '../server/three-ds-server.ts';
import { type ClientCall, checkClient } from './client-access.ts';
import { tokenDigest } from './client-token.ts';

/** The common part of calls with a card from a payer's page. */

export type SentCard = {
  card_no: string;
  card_exp_month: string;
  card_exp_year: string;
  card_name?: string | undefined;
};

type Learn = (authentication: Authentication | undefined) => void;
export type Context = { ring: KeyRing; learn: Learn };

/**
 * A card that can be used. A caller without access learns only that it has none, and nothing about what is wrong with the card. Throws
 * client_token_wrong, page_origin_wrong, request_invalid.
 */
export const usableCard = async (call: ClientCall, sent: SentCard, { ring, learn }: Context): Promise<Card> => {
  const card = readCard(sent, { today: nowIso(), cvvIsOptional: true });
  const mayBeTheirs = Number(call.token.split('.')[1]) > nowMilliseconds();
  if (!Array.isArray(card) && mayBeTheirs) return card;
  const authentication = await getAuthentication(call.id);
  learn(authentication);
  checkClient(authentication, call, { ring, now: nowMilliseconds() });
  throw new Refusal('request_invalid', Array.isArray(card) ? card.join('; ') : 'client_token: has expired');
};

/** Makes a claim for the page; if it was not granted, finds out why. Throws client_token_wrong, page_origin_wrong. */
export const claimStep = async (
  call: ClientCall,
  { ring, learn }: Context,
  work: (client: { digest: string; origin: string }) => Promise<Authentication>,
): Promise<{ granted: boolean; authentication: Authentication }> => {
  const now = nowMilliseconds();
  try {
    const authentication = await work({ digest: tokenDigest(call.token), origin: call.origin });
    learn(authentication);
    return { granted: true, authentication: checkClient(authentication, call, { ring, now }) };
  } catch (error) {
    if (!(error instanceof ClaimConflictError)) throw error;
    learn(error.present);
    return { granted: false, authentication: checkClient(error.present, call, { ring, now }) };
  }
};

export const tooMany = (what: string): Refusal =>
  new Refusal('too_many_attempts', `${what} Make a new authentication with create3ds.`);

export const logUnavailable = ({ id, sid }: Authentication, answer: { kind: string } | Unavailable): void => {
  if (!('why' in answer)) return;
  log('warn', 'three_ds_unavailable', { authenticationId: id, sid, why: answer.why, detail: answer.detail });
};
