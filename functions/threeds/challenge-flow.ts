import { nowIso, nowMilliseconds } from '../core/clock.ts';
import type { KeyRing } from '../core/crypto.ts';
import type { WithHeaders } from '../core/http.ts';
import { describeError, log } from '../core/log.ts';
import { keyRing } from '../core/secrets.ts';
import { type Authentication, isDone } from './authentication.ts';
import {
  authenticationOfTransaction,
  getAuthentication,
  getProven,
  saveAuthentication,
} from './authentication-store.ts';
import { fromBase64Url, isUuid } from './base64url.ts';
import { afterCancel, afterCres, afterNoResult, afterRreq, type CancelReason, isOverdue } from './challenge.ts';
import { type ClientCall, checkClient } from './client-access.ts';
import { doneReply, forPage, type PageReply } from './page-reply-flow.ts';
import { toClientReply } from './replies.ts';
import { pauseFor, serverOf } from './server-client.ts';

/** What happens while the payer is at the issuer, and afterwards. */

/** The authentication after the 3DS server was asked once how the challenge ended; `value`: what proves it, if that is new. */
type Asked = { authentication: Authentication; value: string | null; hasResult: boolean };

const askForResult = async (before: Authentication, ring: KeyRing): Promise<Asked> => {
  const unchanged = { authentication: before, value: null, hasResult: false };
  if (before.status !== 'challenged' || !before.server) return unchanged;
  const server = serverOf(before.settings, { sid: before.sid, ring, baseUrl: '' });
  const answer = await server.result(before.server.transId);
  if (answer.kind === 'unavailable') {
    log('warn', 'three_ds_result_unavailable', { authenticationId: before.id, sid: before.sid, detail: answer.detail });
  }
  if (answer.kind !== 'rreq') return unchanged;
  const step = afterRreq(before, answer.rreq, nowIso());
  const value = step.value === null ? undefined : { text: step.value, ring };
  const authentication = await saveAuthentication(before, step.authentication, { value });
  return { authentication, value: step.value, hasResult: true };
};

/** Asks the 3DS server; where it has no result, ends what has come to its end. */
export const settleChallenge = async (before: Authentication, ring: KeyRing): Promise<Asked> => {
  const asked = await askForResult(before, ring);
  if (asked.hasResult) return asked;
  const after = afterNoResult(asked.authentication, nowIso());
  if (after === asked.authentication) return asked;
  return { ...asked, authentication: await saveAuthentication(asked.authentication, after) };
};

/** How far it is; while the issuer says that it is done, the 3DS server is asked. */
export const statusOf = (call: ClientCall): Promise<WithHeaders<PageReply>> =>
  forPage(call.origin, async (learn) => {
    const ring = await keyRing('encryption');
    const known = await getProven(call.id, ring);
    learn(known?.authentication);
    const authentication = checkClient(known?.authentication, call, { ring, now: nowMilliseconds() });
    const present = isOverdue(authentication, nowIso()) ? await settleChallenge(authentication, ring) : undefined;
    return toClientReply(present?.authentication ?? authentication, present?.value ?? known?.value ?? null);
  });

/** The payer, their page or its clock puts an end to it, unless the issuer has told another. */
export const cancelAuthentication = (call: ClientCall, why: CancelReason): Promise<WithHeaders<PageReply>> =>
  forPage(call.origin, async (learn) => {
    const ring = await keyRing('encryption');
    const known = await getProven(call.id, ring);
    learn(known?.authentication);
    const before = checkClient(known?.authentication, call, { ring, now: nowMilliseconds() });
    if (isDone(before)) return toClientReply(before, known?.value ?? null);
    const asked = await askForResult(before, ring);
    if (asked.hasResult) return toClientReply(asked.authentication, asked.value);
    return doneReply(await saveAuthentication(before, afterCancel(before, why, nowIso())), ring);
  });

/** After so many milliseconds each the server is asked again: an RReq may be a moment behind the payer. */
const pauses = [0, 500, 500, 1000] as const;
type Pause = (milliseconds: number) => Promise<unknown>;

/**
 * The issuer's page says that it is done. What it says came of it is not looked at: anybody can post that. The 3DS server is
 * asked, at once, as it keeps results for minutes only. Never throws: the browser gets the same page whatever comes.
 */
export const challengeReturned = async (cres: string, pause: Pause = pauseFor): Promise<void> => {
  try {
    const { threeDSServerTransID: transId, acsTransID: acsTransId } = fromBase64Url(cres) ?? {};
    if (!isUuid(transId) || !isUuid(acsTransId)) return;
    const id = await authenticationOfTransaction(transId);
    const authentication = id === undefined ? undefined : await getAuthentication(id);
    if (authentication?.server?.transId !== transId || authentication.challenge?.ares.acsTransId !== acsTransId) return;
    await awaitResult(authentication, pause);
  } catch (error) {
    log('error', 'challenge_not_taken', { error: describeError(error) });
  }
};

const awaitResult = async (before: Authentication, pause: Pause): Promise<void> => {
  const ring = await keyRing('encryption');
  for (const milliseconds of pauses) {
    if (milliseconds > 0) await pause(milliseconds);
    if ((await askForResult(before, ring)).hasResult) return;
  }
  await saveAuthentication(before, afterCres(before, nowIso()));
};

/** An authentication as its merchant's server is to see it: one whose check is due is looked at first. */
export const settledIfDue = async (known: {
  authentication: Authentication;
  value: string | null;
}): Promise<{ authentication: Authentication; value: string | null }> => {
  const { nextCheckAt, status } = known.authentication;
  if (status !== 'challenged' || nextCheckAt === null || nextCheckAt > nowIso()) return known;
  const { authentication, value } = await settleChallenge(known.authentication, await keyRing('encryption'));
  return { authentication, value };
};
