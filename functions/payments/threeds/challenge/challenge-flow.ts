import { nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import type { KeyRing } from '#core/kernel/crypto.ts';
import type { WithHeaders } from '#core/platform/http/http.ts';
import { describeError, log } from '#core/platform/log/log.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { type Authentication, isDone } from '../authentication/authentication.ts';
import {
  authenticationOfTransaction,
  getAuthentication,
  getProven,
  saveAuthentication,
} from '../authentication/authentication-store.ts';
import { type ClientCall, checkClient } from '../payer/client-access.ts';
import { doneReply, forPage, type PageReply } from '../payer/page-reply-flow.ts';
import { toClientReply } from '../payer/replies.ts';
import { fromBase64Url, isSameUuid, isUuid } from '../server/base64url.ts';
import { findServer, pauseFor } from '../server/server-client.ts';
import { afterCancel, afterCres, afterNoResult, afterRreq, type CancelReason, isOverdue } from './challenge.ts';

/** The flow while the payer is at the issuer, and afterwards. */

/** The authentication after the 3DS server was asked once how the challenge ended; `value`: what proves it, if that is new. */
type Asked = { authentication: Authentication; value: string | null; hasResult: boolean };

const askForResult = async (before: Authentication, ring: KeyRing): Promise<Asked> => {
  const unchanged = { authentication: before, value: null, hasResult: false };
  if (before.status !== 'challenged' || !before.server) return unchanged;
  const server = findServer(before.settings, { sid: before.sid, ring, baseUrl: '' });
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

/** Asks the 3DS server; if it has no result and the challenge's time is over, ends it. */
export const settleChallenge = async (before: Authentication, ring: KeyRing): Promise<Asked> => {
  const asked = await askForResult(before, ring);
  if (asked.hasResult) return asked;
  const after = afterNoResult(asked.authentication, nowIso());
  if (after === asked.authentication) return asked;
  return { ...asked, authentication: await saveAuthentication(asked.authentication, after) };
};

/** The state of an authentication; once the issuer says that the challenge is done, the 3DS server is asked. */
export const readChallengeStatus = (call: ClientCall): Promise<WithHeaders<PageReply>> =>
  forPage(call.origin, async (learn) => {
    const ring = await keyRing('encryption');
    const known = await getProven(call.id, ring);
    learn(known?.authentication);
    const authentication = checkClient(known?.authentication, call, { ring, now: nowMilliseconds() });
    const present = isOverdue(authentication, nowIso()) ? await settleChallenge(authentication, ring) : undefined;
    return toClientReply(present?.authentication ?? authentication, present?.value ?? known?.value ?? null);
  });

/** The payer, their page or its time limit ends the authentication, unless the issuer has already reported a result. */
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

/** The pauses (milliseconds) before each question to the server: an RReq may arrive a moment after the payer. */
const pauses = [0, 500, 500, 1000] as const;
type Pause = (milliseconds: number) => Promise<unknown>;

/**
 * The issuer's page says that the challenge is done. The result that it states is ignored, as anybody can post one. The 3DS server is
 * asked at once, as it keeps results only for minutes. Never throws: the browser always gets the same page.
 */
export const challengeReturned = async (cres: string, pause: Pause = pauseFor): Promise<void> => {
  try {
    const { threeDSServerTransID: transId, acsTransID: acsTransId } = fromBase64Url(cres) ?? {};
    if (!isUuid(transId) || !isUuid(acsTransId)) return;
    const id =
      (await authenticationOfTransaction(transId)) ?? (await authenticationOfTransaction(transId.toLowerCase()));
    const authentication = id === undefined ? undefined : await getAuthentication(id);
    if (!authentication || !isSameUuid(authentication.server?.transId, transId)) return;
    if (!isSameUuid(authentication.challenge?.ares.acsTransId, acsTransId)) return;
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

/** An authentication for its merchant's server: if its check is due, it is checked first. */
export const settledIfDue = async (known: {
  authentication: Authentication;
  value: string | null;
}): Promise<{ authentication: Authentication; value: string | null }> => {
  const { nextCheckAt, status } = known.authentication;
  if (status !== 'challenged' || nextCheckAt === null || nextCheckAt > nowIso()) return known;
  const { authentication, value } = await settleChallenge(known.authentication, await keyRing('encryption'));
  return { authentication, value };
};
