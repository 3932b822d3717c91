import type { KeptCard } from '#core/kernel/card/card.ts';
import { iso, milliseconds } from '#core/kernel/clock.ts';
import type { Exemption, grantedExemption } from '../challenge/challenge-wish.ts';
import type { PayerDetails } from '../server/areq.ts';
import type { Ares } from '../server/three-ds-server.ts';
import type { SpokenVersion } from '../server/versions.ts';
import type { Settings } from '../three-ds-settings.ts';
import type { AuthenticationReason, AuthenticationResult, TransStatus } from './authentication-result.ts';

/** One authentication of a payer, from `create3ds` to its result. */

export const statuses = ['created', 'started', 'challenged', 'done'] as const;
type AuthenticationStatus = (typeof statuses)[number];

export const windowSizes = ['01', '02', '03', '04', '05'] as const;
export type WindowSize = (typeof windowSizes)[number];

/** The stored facts of a card: enough to recognise it, and to show which it was. */
export type AuthenticatedCard = Pick<KeptCard, 'scheme' | 'first6' | 'last4' | 'token'>;

/** Its result, as EMVCo names it; the value that proves it is in a row of its own. */
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
  /** The exemption that was requested and granted. */
  exemption: ReturnType<typeof grantedExemption>;
  liabilityShift: boolean;
};

/** A transaction at the 3DS server, which forgets it soon: see `freshMilliseconds`. */
type ServerTransaction = {
  transId: string;
  version: SpokenVersion;
  methodUrl: string | null;
  startedAt: string;
};

/** A challenge under way. `creqAt`: since when the issuer's page is shown; `cresAt`: when it said that it is done. */
export type IssuerChallenge = {
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
  status: AuthenticationStatus;
  outcome: AuthenticationResult | null;
  reason: AuthenticationReason | null;
  pageOrigin: string;
  tid: string | null;
  /** Minor units as text, since JSON has no exact integers. */
  money: { minor: string; currency: string };
  settings: Settings;
  challengeInd: string;
  exemption: Exemption;
  /** Null once it is done: it is not needed any more. */
  payer: PayerDetails | null;
  card: AuthenticatedCard | null;
  server: ServerTransaction | null;
  challenge: IssuerChallenge | null;
  result: Result | null;
  createdAt: string;
  doneAt: string | null;
  /**
   * ISO: when to ask the 3DS server for the result of a challenge whose payer may not return; before a challenge, from when it counts as
   * abandoned.
   */
  nextCheckAt: string | null;
  /** The number of starts and attempts, and their cards: trying out cards must be limited. */
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

const { second } = milliseconds;
/** Providers forget a transaction that is not asked for after 80 seconds. */
export const freshMilliseconds = 75 * second;
/** Longer than an AReq may take, its function included. */
export const askingMilliseconds = 20 * second;

/** The time for which a payer who has not been challenged yet may do nothing. */
const abandonedMilliseconds = 30 * milliseconds.minute;

export const isDone = ({ status }: Pick<Authentication, 'status'>): boolean => status === 'done';

const after = (at: string, time: number): string => iso(Date.parse(at) + time);

/** Checks whether a started authentication may still be attempted: its server knows it, and the card is the same. */
export const isFresh = ({ server }: Authentication, now: string): boolean =>
  server !== null && after(server.startedAt, freshMilliseconds) > now;

/** From when an authentication that was last acted on at a time (ISO) counts as abandoned, ISO. */
export const abandonedFrom = (at: string): string => after(at, abandonedMilliseconds);

/** Checks whether its payer has left before a challenge. Rows from before 2026-11-24 do not say when they are checked. */
export const isAbandoned = (
  { status, server, createdAt, askingUntil, nextCheckAt }: Authentication,
  now: string,
): boolean =>
  (status === 'created' || status === 'started') &&
  (askingUntil === null || askingUntil <= now) &&
  (nextCheckAt ?? abandonedFrom(server?.startedAt ?? createdAt)) <= now;

/** The next step of the page. */
export type NextStep = 'start' | 'method' | 'authenticate' | 'challenge' | 'done';
export const nextStepOf = ({ status, server }: Authentication): NextStep => {
  if (status === 'created') return 'start';
  if (status === 'started') return server?.methodUrl ? 'method' : 'authenticate';
  return status === 'challenged' ? 'challenge' : 'done';
};
