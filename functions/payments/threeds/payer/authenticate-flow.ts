import { type Card, fingerprintOf } from '#core/kernel/card/card.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { exponentOf } from '#core/kernel/money/money.ts';
import type { WithHeaders } from '#core/platform/http/http.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import {
  type Authentication,
  isDone,
  isFresh,
  maxAttempts,
  type WindowSize,
} from '../authentication/authentication.ts';
import { claimAttempt, saveAuthentication } from '../authentication/authentication-store.ts';
import { afterAres } from '../server/answers.ts';
import { makeAreq, toCompletion } from '../server/areq.ts';
import { findServer } from '../server/server-client.ts';
import type { BrowserData, RequestData } from './browser-data.ts';
import { claimStep, logUnavailable, type SentCard, tooMany, usableCard } from './card-call-store.ts';
import type { ClientCall } from './client-access.ts';
import { doneReply, forPage, type PageReply } from './page-reply-flow.ts';
import { toClientReply } from './replies.ts';

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
  return new Refusal('authentication_state_wrong', `${why} Start it again.`);
};

/** Asks the issuer whether the payer is the cardholder. */
export const askIssuer = (call: ClientCall, asked: AskIssuer, baseUrl: string): Promise<WithHeaders<PageReply>> =>
  forPage(call.origin, async (learn) => {
    const ring = await keyRing('encryption');
    const context = { ring, learn };
    const card = await usableCard(call, asked.card, context);
    const token = card.reveal(({ number }) => fingerprintOf(ring, number));
    const { granted, authentication } = await claimStep(call, context, (client) =>
      claimAttempt(call.id, client, token, nowIso()),
    );
    if (!granted) {
      if (isDone(authentication)) return doneReply(authentication, ring);
      // The answer to the previous call was lost on its way to the page.
      if (authentication.status === 'challenged') return toClientReply(authentication);
      throw refusalOfAttempt(authentication);
    }
    const server = findServer(authentication.settings, { sid: authentication.sid, ring, baseUrl });
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
  return makeAreq({
    settings,
    challengeInd,
    browser,
    request,
    holder: holder ?? null,
    scheme: card.scheme,
    version: server.version,
    serverTransId: server.transId,
    method: toCompletion(server.methodUrl, method),
    money: { ...money, exponent: exponentOf(money.currency) ?? 0 },
    payer: payer ?? nobody,
    notificationUrl: `${baseUrl}/3ds/challenge`,
    at: nowIso(),
  });
};
