import { type Card, fingerprintOf, readCard } from '../core/card.ts';
import { nowIso, nowMilliseconds } from '../core/clock.ts';
import type { KeyRing } from '../core/crypto.ts';
import { Refusal } from '../core/errors.ts';
import { WithHeaders } from '../core/http.ts';
import { log } from '../core/log.ts';
import { exponentOf } from '../core/money.ts';
import { keyRing } from '../core/secrets.ts';
import { areqOf } from './areq.ts';
import {
  type Authentication,
  afterAres,
  afterVersions,
  isDone,
  isFresh,
  maxAttempts,
  maxStarts,
  type WindowSize,
} from './authentication.ts';
import {
  ClaimRefused,
  claimAttempt,
  claimStart,
  getAuthentication,
  getProven,
  saveAuthentication,
} from './authentication-store.ts';
import type { BrowserData, RequestData } from './browser-data.ts';
import { type ClientCall, checkClient } from './client-access.ts';
import { tokenDigest } from './client-token.ts';
import { toClientReply } from './replies.ts';
import { serverOf } from './server-client.ts';
import type { Unavailable } from './three-ds-server.ts';

/** What a payer's page does: with a card, before any challenge. */

/**
 * A reply that the page may read, and no other page: its browser is told so if the call comes from the page's origin, with
 * refusals too. `work` learns whose page it is from the row.
 */
export const forPage = async <T>(
  origin: string,
  work: (learn: (authentication: Authentication | undefined) => void) => Promise<T>,
): Promise<WithHeaders<T>> => {
  let headers: Record<string, string> = {};
  const learn = (authentication: Authentication | undefined): void => {
    if (origin !== '' && authentication?.pageOrigin === origin) {
      headers = { 'access-control-allow-origin': origin, vary: 'origin' };
    }
  };
  try {
    return new WithHeaders(await work(learn), headers);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.code, error.details, { cause: error.cause, headers: { ...error.headers, ...headers } });
  }
};

export type SentCard = {
  card_no: string;
  card_exp_month: string;
  card_exp_year: string;
  card_name?: string | undefined;
};

type Learn = (authentication: Authentication | undefined) => void;
type Reply = ReturnType<typeof toClientReply>;
type Context = { ring: KeyRing; learn: Learn };

/**
 * A card that can be used. Whoever may not call learns that first, and nothing of what is wrong with a card. Throws
 * client_token_wrong, page_origin_wrong, request_invalid.
 */
const usableCard = async (call: ClientCall, sent: SentCard, { ring, learn }: Context): Promise<Card> => {
  const card = readCard(sent, { today: nowIso(), cvvIsOptional: true });
  const mayBeTheirs = Number(call.token.split('.')[1]) > nowMilliseconds();
  if (!Array.isArray(card) && mayBeTheirs) return card;
  const authentication = await getAuthentication(call.id);
  learn(authentication);
  checkClient(authentication, call, { ring, now: nowMilliseconds() });
  throw new Refusal('request_invalid', Array.isArray(card) ? card.join('; ') : 'client_token: has ended');
};

/** Claims something for the page; where it was not granted, learns why. Throws client_token_wrong, page_origin_wrong. */
const claimed = async (
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
    if (!(error instanceof ClaimRefused)) throw error;
    learn(error.present);
    return { granted: false, authentication: checkClient(error.present, call, { ring, now }) };
  }
};

/** The result of an authentication as somebody else left it, its value included where the site wants that told. */
export const doneReply = async (authentication: Authentication, ring: KeyRing): Promise<Reply> => {
  if (!isDone(authentication) || !authentication.settings.tellsValues) return toClientReply(authentication);
  return toClientReply(authentication, (await getProven(authentication.id, ring))?.value ?? null);
};

const tooMany = (what: string): Refusal =>
  new Refusal('too_many_attempts', `${what} Make a new authentication with create3ds.`);

const logUnavailable = ({ id, sid }: Authentication, answer: { kind: string } | Unavailable): void => {
  if (!('why' in answer)) return;
  log('warn', 'three_ds_unavailable', { authenticationId: id, sid, why: answer.why, detail: answer.detail });
};

/** Asks the 3DS server about a card. What was under way before is given up. */
export const startAuthentication = (call: ClientCall, sent: SentCard, baseUrl: string): Promise<WithHeaders<Reply>> =>
  forPage(call.origin, async (learn) => {
    const ring = await keyRing('encryption');
    const context = { ring, learn };
    const card = await usableCard(call, sent, context);
    const kept = card.kept(ring);
    const { granted, authentication } = await claimed(call, context, (client) =>
      claimStart(call.id, client, kept.token),
    );
    if (!granted) {
      if (isDone(authentication)) return doneReply(authentication, ring);
      throw tooMany(
        authentication.starts >= maxStarts
          ? `It was started ${maxStarts} times.`
          : 'It was started with other cards before.',
      );
    }
    const server = await serverOf(authentication.settings, { sid: authentication.sid, ring, baseUrl });
    const versions = await server.versions(card, authentication.settings.highestVersion);
    logUnavailable(authentication, versions);
    const { scheme, first6, last4, token } = kept;
    const next = afterVersions(authentication, { scheme, first6, last4, token }, versions, nowIso());
    const saved = await saveAuthentication(authentication, next, { reference: true });
    return doneReply(saved, ring);
  });

export type AskIssuer = {
  card: SentCard;
  browser: BrowserData;
  request: RequestData;
  method: 'Y' | 'N' | 'U';
  windowSize: WindowSize;
};

/** Why an AReq may not be made now. */
const refusalOfAttempt = (authentication: Authentication): Refusal => {
  const { attempts, askingUntil } = authentication;
  if (attempts >= maxAttempts) return tooMany(`The issuer was asked ${maxAttempts} times.`);
  const now = nowIso();
  if (askingUntil !== null && askingUntil > now) {
    return new Refusal('authentication_state_wrong', 'The issuer is being asked. Ask for its status.');
  }
  const why = isFresh(authentication, now)
    ? 'It was started with another card.'
    : 'It was not started, or too long ago.';
  return new Refusal('authentication_state_wrong', `${why} Start it anew.`);
};

/** Asks the issuer whether the payer is the cardholder. */
export const askIssuer = (call: ClientCall, asked: AskIssuer, baseUrl: string): Promise<WithHeaders<Reply>> =>
  forPage(call.origin, async (learn) => {
    const ring = await keyRing('encryption');
    const context = { ring, learn };
    const card = await usableCard(call, asked.card, context);
    const token = card.reveal(({ number }) => fingerprintOf(ring, number));
    const { granted, authentication } = await claimed(call, context, (client) =>
      claimAttempt(call.id, client, token, nowIso()),
    );
    if (!granted) {
      if (isDone(authentication)) return doneReply(authentication, ring);
      // The answer to the call before was lost on its way to the page.
      if (authentication.status === 'challenged') return toClientReply(authentication);
      throw refusalOfAttempt(authentication);
    }
    const server = await serverOf(authentication.settings, { sid: authentication.sid, ring, baseUrl });
    const answer = await server.authenticate({ card, areq: areqFor(authentication, card, asked, baseUrl) });
    logUnavailable(authentication, answer);
    const step = afterAres(authentication, answer, asked.windowSize, nowIso());
    const value = step.value === null ? undefined : { text: step.value, ring };
    const saved = await saveAuthentication(authentication, step.authentication, { value });
    return saved.version === authentication.version + 1 ? toClientReply(saved, step.value) : doneReply(saved, ring);
  });

const nobody = {
  firstName: null,
  lastName: null,
  email: null,
  phone: null,
  address: null,
  shipping: null,
  account: null,
};

const areqFor = (
  { settings, server, challengeInd, money, payer }: Authentication,
  card: Card,
  { browser, request, method, card: { card_name: holder } }: AskIssuer,
  baseUrl: string,
) => {
  if (!server) throw new Error('An authentication was asked for that was never started');
  return areqOf({
    ...{ settings, challengeInd, browser, request, holder: holder ?? null },
    scheme: card.scheme,
    version: server.version,
    serverTransId: server.transId,
    // Only who has a method can say how it went.
    method: server.methodUrl === null ? 'U' : method === 'U' ? 'N' : method,
    money: { ...money, exponent: exponentOf(money.currency) ?? 0 },
    payer: payer ?? nobody,
    notificationUrl: `${baseUrl}/3ds/challenge`,
    at: nowIso(),
  });
};
