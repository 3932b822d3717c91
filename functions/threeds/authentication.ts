import type { KeptCard } from '../core/card.ts';
import { iso, milliseconds } from '../core/clock.ts';
import type { PayerDetails } from './areq.ts';
import { type ChallengeWish, challengeIndOf, type Exemption, grantedExemption } from './challenge-wish.ts';
import { isLiabilityShifted } from './liability-shift.ts';
import {
  type Conclusion,
  conclusionOfAres,
  conclusionOfRreq,
  isTransStatus,
  type Outcome,
  type Reason,
  type TransStatus,
} from './outcome.ts';
import type { Ares, Rreq, Unavailable, Versions } from './three-ds-server.ts';
import type { Settings } from './three-ds-settings.ts';
import { isSpoken, type SpokenVersion } from './versions.ts';

/** One authentication of a payer, from `create3ds` to its result. */

export const statuses = ['created', 'started', 'challenged', 'done'] as const;
export type Status = (typeof statuses)[number];

export const windowSizes = ['01', '02', '03', '04', '05'] as const;
export type WindowSize = (typeof windowSizes)[number];

/** What is kept of a card: enough to know it again, and to show which it was. */
export type AuthenticatedCard = Pick<KeptCard, 'scheme' | 'first6' | 'last4' | 'token'>;

/** What came of it, as EMVCo names it; the value that proves it lies in a row of its own. */
export type Result = {
  transStatus: TransStatus | null;
  transStatusReason: string | null;
  aresTransStatus: string | null;
  challengeTransStatus: string | null;
  eci: string | null;
  messageVersion: string | null;
  dsTransId: string | null;
  acsTransId: string | null;
  challengeCancel: string | null;
  authenticationType: string | null;
  cardholderInfo: string | null;
  /** What was asked for and granted. */
  exemption: ReturnType<typeof grantedExemption>;
  liabilityShift: boolean;
};

/** A transaction at the 3DS server, which forgets it soon: see `freshMilliseconds`. */
export type ServerTransaction = {
  transId: string;
  version: SpokenVersion;
  methodUrl: string | null;
  startedAt: string;
};

/** A challenge under way. `creqAt`: since when the issuer's page is shown; `cresAt`: when it said that it is done. */
export type Challenge = {
  ares: Omit<Ares, 'authenticationValue'>;
  windowSize: WindowSize;
  at: string;
  creqAt: string | null;
  cresAt: string | null;
};

export type Authentication = {
  id: number;
  sid: number;
  mid: number;
  rid: number;
  status: Status;
  outcome: Outcome | null;
  reason: Reason | null;
  pageOrigin: string;
  tid: string | null;
  /** Minor units as text, since JSON has no exact integers. */
  money: { minor: string; currency: string };
  settings: Settings;
  challengeInd: string;
  exemption: Exemption;
  /** Null once it is done: nobody needs it any more. */
  payer: PayerDetails | null;
  card: AuthenticatedCard | null;
  server: ServerTransaction | null;
  challenge: Challenge | null;
  result: Result | null;
  createdAt: string;
  doneAt: string | null;
  /** When the 3DS server is to be asked for the result of a challenge whose payer may not come back, ISO. */
  nextCheckAt: string | null;
  /** How often it was started and asked for, and with which cards: trying out cards has to end somewhere. */
  starts: number;
  attempts: number;
  cards: readonly string[];
  /** The digests of the client tokens that were given out. */
  clients: readonly string[];
  /** Until when an AReq is under way, ISO. */
  askingUntil: string | null;
  usedByTxid: number | null;
  version: number;
};

export const maxStarts = 5;
export const maxAttempts = 3;
export const maxCards = 3;

type Begun = Pick<
  Authentication,
  'id' | 'sid' | 'mid' | 'rid' | 'settings' | 'pageOrigin' | 'tid' | 'money' | 'exemption'
> & {
  challenge: ChallengeWish | undefined;
  payer: PayerDetails;
  isSkipped: boolean;
  at: string;
};

/** An authentication as it begins; one that is skipped is done with that. */
export const newAuthentication = ({ challenge, isSkipped, at, ...begun }: Begun): Authentication => {
  const made: Authentication = {
    ...begun,
    ...{ status: 'created', outcome: null, reason: null, card: null, server: null, challenge: null, result: null },
    challengeInd: challengeIndOf({ challenge, exemption: begun.exemption, settings: begun.settings }),
    ...{ createdAt: at, doneAt: null, nextCheckAt: null, starts: 0, attempts: 0, cards: [], clients: [] },
    ...{ askingUntil: null, usedByTxid: null, version: 1 },
  };
  return isSkipped ? ended(made, unavailable('skipped'), at) : made;
};

const { second, minute } = milliseconds;
/** Providers forget a transaction that is not asked for after 80 seconds. */
export const freshMilliseconds = 75 * second;
/** Longer than an AReq may take, its function included. */
export const askingMilliseconds = 20 * second;
/** After an ARes with a challenge the issuer waits so long for the first CReq. */
export const firstCreqMilliseconds = 30 * second;
/** How long the result of a challenge may be under way after the issuer has said that it is done. */
export const rreqMilliseconds = minute;
/** The longest that a page may give a payer, and a minute for the issuer to tell. */
export const challengeMilliseconds = 31 * minute;
/** Servers keep results for five minutes: often enough to miss none. */
const checkMilliseconds = 4 * minute;

const after = (at: string, time: number): string => iso(Date.parse(at) + time);
const isOver = (at: string | null, time: number, now: string): boolean => at !== null && after(at, time) <= now;

export const isDone = ({ status }: Pick<Authentication, 'status'>): boolean => status === 'done';

/** Whether an authentication that was started may still be asked for: its server knows it, and the card is the same. */
export const isFresh = ({ server }: Authentication, now: string): boolean =>
  server !== null && !isOver(server.startedAt, freshMilliseconds, now);

const noResult: Result = {
  transStatus: null,
  transStatusReason: null,
  aresTransStatus: null,
  challengeTransStatus: null,
  eci: null,
  messageVersion: null,
  dsTransId: null,
  acsTransId: null,
  challengeCancel: null,
  authenticationType: null,
  cardholderInfo: null,
  exemption: null,
  liabilityShift: false,
};

/** A step and the value that proves it, which is kept apart and sealed. */
export type Step = { authentication: Authentication; value: string | null };

const done = (before: Authentication, { outcome, reason }: Conclusion, result: Result, at: string): Authentication => ({
  ...before,
  status: 'done',
  outcome,
  reason,
  result,
  payer: null,
  challenge: null,
  askingUntil: null,
  nextCheckAt: null,
  doneAt: at,
});

/** An authentication that ends without anybody having been asked, or without an answer of theirs. */
export const ended = (
  before: Authentication,
  conclusion: Conclusion,
  at: string,
  result: Partial<Result> = {},
): Authentication => done(before, conclusion, { ...noResult, ...soFar(before), ...result }, at);

/** What is known of a challenge that came to no end. */
const soFar = ({ challenge, server }: Authentication): Partial<Result> => {
  if (!challenge) return { messageVersion: server?.version ?? null };
  const { dsTransId, acsTransId, authenticationType, cardholderInfo } = challenge.ares;
  const messageVersion = challenge.ares.messageVersion ?? server?.version ?? null;
  return { aresTransStatus: 'C', messageVersion, dsTransId, acsTransId, authenticationType, cardholderInfo };
};

const serverReasons = { timeout: 'timeout', refused: 'server_error', broken: 'server_error' } as const;
const unavailable = (reason: Reason): Conclusion => ({ outcome: 'unavailable', reason });

/** After the 3DS server was asked about a card. Whatever was under way before is given up. */
export const afterVersions = (
  before: Authentication,
  card: AuthenticatedCard,
  versions: Versions,
  at: string,
): Authentication => {
  const fresh = { ...before, card, server: null, challenge: null, askingUntil: null, nextCheckAt: null };
  if (versions.kind === 'not_enrolled') return ended(fresh, unavailable('not_enrolled'), at);
  if (versions.kind === 'unavailable') return ended(fresh, unavailable(serverReasons[versions.why]), at);
  const { version, serverTransId: transId, methodUrl } = versions;
  if (!isSpoken(version) || version > before.settings.highestVersion) {
    return ended(fresh, unavailable('version_not_supported'), at);
  }
  return { ...fresh, status: 'started', server: { transId, version, methodUrl, startedAt: at } };
};

const resultOfAres = (authentication: Authentication, ares: Ares): Result => ({
  ...noResult,
  transStatus: isTransStatus(ares.transStatus) ? ares.transStatus : null,
  transStatusReason: ares.transStatusReason,
  aresTransStatus: ares.transStatus,
  eci: ares.eci,
  messageVersion: ares.messageVersion ?? authentication.server?.version ?? null,
  dsTransId: ares.dsTransId,
  acsTransId: ares.acsTransId,
  authenticationType: ares.authenticationType,
  cardholderInfo: ares.cardholderInfo,
  exemption: grantedExemption(authentication.exemption, ares),
});

const withLiability = (
  { card, settings: { mcc, messageCategory } }: Authentication,
  result: Result,
  value: string | null,
): Result => {
  const { transStatus, eci, exemption } = result;
  const isExempt = exemption !== null;
  const isShifted =
    card !== null &&
    value !== null &&
    isLiabilityShifted({ scheme: card.scheme, transStatus, eci, isExempt, mcc, messageCategory });
  return { ...result, liabilityShift: isShifted };
};

/** Issuers send values with some answers that authenticate nobody; those are of no use to anybody. */
const provable: readonly (TransStatus | null)[] = ['Y', 'A', 'I'];
const provingValue = ({ transStatus }: Result, value: string | null): string | null =>
  provable.includes(transStatus) ? value : null;

/** After the issuer answered, or could not. */
export const afterAres = (
  before: Authentication,
  answer: { kind: 'ares'; ares: Ares } | Unavailable,
  windowSize: WindowSize,
  at: string,
): Step => {
  if (answer.kind === 'unavailable') {
    return { authentication: ended(before, unavailable(serverReasons[answer.why]), at), value: null };
  }
  const { authenticationValue, ...ares } = answer.ares;
  const result = resultOfAres(before, answer.ares);
  const conclusion = conclusionOfAres(ares);
  if (conclusion) {
    const value = provingValue(result, authenticationValue);
    return { authentication: done(before, conclusion, withLiability(before, result, value), at), value };
  }
  const refused = refusedChallenge(before, ares);
  if (refused) return { authentication: done(before, unavailable(refused), result, at), value: null };
  const challenge = { ares, windowSize, at, creqAt: null, cresAt: null };
  const nextCheckAt = after(at, minute);
  return {
    authentication: { ...before, status: 'challenged', askingUntil: null, challenge, nextCheckAt },
    value: null,
  };
};

const refusedChallenge = ({ settings }: Authentication, ares: Challenge['ares']): Reason | undefined => {
  if (settings.disablesChallenge) return 'challenge_disabled';
  return ares.acsUrl === null || ares.acsTransId === null ? 'acs_url_invalid' : undefined;
};

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
  return { authentication: done(before, conclusion, withLiability(before, result, value), at), value };
};

/** Once the issuer's page was handed over to the browser. */
export const afterCreq = (before: Authentication, at: string): Authentication =>
  before.challenge && before.challenge.creqAt === null
    ? { ...before, challenge: { ...before.challenge, creqAt: at } }
    : before;

/** Once the issuer's page says that it is done; what came of it only the 3DS server can say. */
export const afterCres = (before: Authentication, at: string): Authentication =>
  before.challenge && before.challenge.cresAt === null
    ? { ...before, challenge: { ...before.challenge, cresAt: at }, nextCheckAt: after(at, rreqMilliseconds) }
    : before;

/** How a challenge ends of which nobody tells the end, once its time has come; undefined while there is hope. */
const endOfTime = (
  { at, creqAt, cresAt }: Challenge,
  now: string,
): { conclusion: Conclusion; status: TransStatus } | undefined => {
  if (isOver(cresAt, rreqMilliseconds, now)) return { conclusion: unavailable('no_result'), status: 'U' };
  const isLate = creqAt === null && isOver(at, firstCreqMilliseconds, now);
  if (!isLate && !isOver(at, challengeMilliseconds, now)) return undefined;
  return { conclusion: { outcome: 'timed_out', reason: 'timeout' }, status: 'U' };
};

/** Whether the 3DS server is to be asked whenever somebody looks: the issuer says that it is done, or its time is over. */
export const isOverdue = ({ challenge }: Authentication, now: string): boolean =>
  challenge !== null && (challenge.cresAt !== null || endOfTime(challenge, now) !== undefined);

/** A challenge as it is after the 3DS server had no result of it: over, or to be asked about again. */
export const afterNoResult = (before: Authentication, at: string): Authentication => {
  const { challenge } = before;
  if (!challenge) return before;
  const end = endOfTime(challenge, at);
  if (end) return ended(before, end.conclusion, at, { transStatus: end.status });
  const last = after(challenge.at, challengeMilliseconds);
  const next = [after(at, checkMilliseconds), last].sort()[0] ?? last;
  return before.nextCheckAt !== null && before.nextCheckAt > at ? before : { ...before, nextCheckAt: next };
};

export const cancelReasons = ['payer', 'timeout', 'abort'] as const;
export type CancelReason = (typeof cancelReasons)[number];

/** After the payer, their page or its clock put an end to it, and the issuer has told no other. */
export const afterCancel = (before: Authentication, why: CancelReason, at: string): Authentication => {
  const outcome = why === 'timeout' ? 'timed_out' : 'canceled';
  return ended(before, { outcome, reason: why }, at, {
    transStatus: 'U',
    ...(why === 'payer' && { challengeCancel: '01' }),
  });
};

/** What the page has to do next. */
export type NextStep = 'start' | 'method' | 'authenticate' | 'challenge' | 'done';
export const nextStepOf = ({ status, server }: Authentication): NextStep => {
  if (status === 'created') return 'start';
  if (status === 'started') return server?.methodUrl ? 'method' : 'authenticate';
  return status === 'challenged' ? 'challenge' : 'done';
};
