import { nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { isDone } from '../authentication/authentication.ts';
import { getAuthentication, saveAuthentication } from '../authentication/authentication-store.ts';
import { afterCreq, afterNoResult, isOverdue } from '../challenge/challenge.ts';
import { type ClientCall, checkClient, originWrong } from './client-access.ts';
import { type FrameKind, toFrameReply } from './replies.ts';

/**
 * Returns the form that the frame posts to the issuer. Only the page of the authentication may ask; the issuer's address comes from
 * Forewarn's own row. A challenge whose first page arrives too late is over. Throws client_token_wrong, page_origin_wrong,
 * authentication_state_wrong.
 */
export const openFrame = async (call: ClientCall, kind: FrameKind, baseUrl: string) => {
  const ring = await keyRing('encryption');
  const found = await getAuthentication(call.id);
  const before = checkClient(found, { ...call, origin: found?.pageOrigin ?? '' }, { ring, now: nowMilliseconds() });
  if (call.origin !== new URL(baseUrl).origin) throw originWrong();
  const reply = toFrameReply(before, kind, baseUrl);
  const after = kind === 'challenge' && isOverdue(before, nowIso()) ? afterNoResult(before, nowIso()) : undefined;
  if (after && after !== before) await saveAuthentication(before, after);
  if (!reply || (after && isDone(after))) {
    throw new Refusal('authentication_state_wrong', `There is no ${kind} now. Ask for the status.`);
  }
  if (kind === 'method') return reply;
  const shown = afterCreq(before, nowIso());
  if (shown !== before) await saveAuthentication(before, shown);
  return reply;
};
