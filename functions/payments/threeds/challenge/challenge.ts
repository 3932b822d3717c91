import { iso, milliseconds } from '#core/kernel/clock.ts';
import type { Authentication, IssuerChallenge, Result } from '../authentication/authentication.ts';
import {
  type AuthenticationConclusion,
  conclusionOfRreq,
  isTransStatus,
  type TransStatus,
} from '../authentication/authentication-result.ts';
import {
  concludeAuthentication,
  endWithoutResult,
  noResult,
  provingValue,
  type Step,
  soFar,
  unavailableConclusion,
  withLiability,
} from '../authentication/conclusion.ts';
import type { Rreq } from '../server/three-ds-server.ts';

/** The course of a challenge, and how it ends: by what the issuer told the 3DS server, by the payer, or by a time limit. */

const { second, minute } = milliseconds;
/** The time for which the issuer waits for the first CReq after an ARes with a challenge. */
const firstCreqMilliseconds = 30 * second;
/** The time for which the result of a challenge may be under way after the issuer has reported that it is done. */
const rreqMilliseconds = minute;
/** The longest that a page may give a payer, and a minute for the issuer to report. */
const challengeMilliseconds = 31 * minute;
/** Servers keep results for five minutes: this is often enough to miss none. */
const checkMilliseconds = 4 * minute;

const after = (at: string, time: number): string => iso(Date.parse(at) + time);
const isOver = (at: string | null, time: number, now: string): boolean => at !== null && after(at, time) <= now;

/** When the 3DS server is first asked, without anybody's call, how a challenge ended. */
export const firstCheckOf = (at: string): string => after(at, minute);

/** After the issuer told the 3DS server how a challenge ended. */
export const afterRreq = (before: Authentication, rreq: Rreq, at: string): Step => {
  const conclusion = conclusionOfRreq(rreq);
  const known = { ...noResult, ...soFar(before) };
  const result: Result = {
    ...known,
    transStatus: isTransStatus(rreq.transStatus) ? rreq.transStatus : null,
    transStatusReason: rreq.transStatusReason,
    challengeTransStatus: rreq.transStatus,
    eci: rreq.eci,
    messageVersion: rreq.messageVersion ?? known.messageVersion,
    dsTransId: rreq.dsTransId ?? known.dsTransId,
    acsTransId: rreq.acsTransId ?? known.acsTransId,
    challengeCancel: rreq.challengeCancel,
    authenticationType: rreq.authenticationType ?? known.authenticationType,
    cardholderInfo: rreq.cardholderInfo ?? known.cardholderInfo,
  };
  const value = provingValue(result, rreq.authenticationValue);
  return {
    authentication: concludeAuthentication(before, conclusion, withLiability(before, result, value), at),
    value,
  };
};

/** Once the issuer's page was given to the browser. */
export const afterCreq = (before: Authentication, at: string): Authentication =>
  before.challenge && before.challenge.creqAt === null
    ? { ...before, challenge: { ...before.challenge, creqAt: at } }
    : before;

/** Once the issuer's page says that it is done; only the 3DS server can say with which result. */
export const afterCres = (before: Authentication, at: string): Authentication =>
  before.challenge && before.challenge.cresAt === null
    ? { ...before, challenge: { ...before.challenge, cresAt: at }, nextCheckAt: after(at, rreqMilliseconds) }
    : before;

/** Returns the end of a challenge whose result is not reported, once its time is over; undefined before that. */
const endOfTime = (
  { at, creqAt, cresAt }: IssuerChallenge,
  now: string,
): { conclusion: AuthenticationConclusion; status: TransStatus } | undefined => {
  if (isOver(cresAt, rreqMilliseconds, now)) return { conclusion: unavailableConclusion('no_result'), status: 'U' };
  const isLate = creqAt === null && isOver(at, firstCreqMilliseconds, now);
  if (!isLate && !isOver(at, challengeMilliseconds, now)) return undefined;
  return { conclusion: { outcome: 'timed_out', reason: 'timeout' }, status: 'U' };
};

/** Checks whether to ask the 3DS server on every read: the issuer says that it is done, or its time is over. */
export const isOverdue = ({ challenge }: Authentication, now: string): boolean =>
  challenge !== null && (challenge.cresAt !== null || endOfTime(challenge, now) !== undefined);

/** A challenge after the 3DS server had no result for it: over, or to be asked about again. */
export const afterNoResult = (before: Authentication, at: string): Authentication => {
  const { challenge } = before;
  if (!challenge) return before;
  const end = endOfTime(challenge, at);
  if (end) return endWithoutResult(before, end.conclusion, at, { transStatus: end.status });
  const last = after(challenge.at, challengeMilliseconds);
  const next = [after(at, checkMilliseconds), last].sort()[0] ?? last;
  return before.nextCheckAt !== null && before.nextCheckAt > at ? before : { ...before, nextCheckAt: next };
};

export const cancelReasons = ['payer', 'timeout', 'abort'] as const;
export type CancelReason = (typeof cancelReasons)[number];

/** After the payer, their page or its time limit ended it, and the issuer has reported no result. */
export const afterCancel = (before: Authentication, why: CancelReason, at: string): Authentication => {
  const outcome = why === 'timeout' ? 'timed_out' : 'canceled';
  return endWithoutResult(before, { outcome, reason: why }, at, {
    transStatus: 'U',
    ...(why === 'payer' && { challengeCancel: '01' }),
  });
};
