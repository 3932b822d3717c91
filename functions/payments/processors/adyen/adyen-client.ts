import { milliseconds, nowMilliseconds } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import { countedAsPaid, toProcessorAmount } from '../amounts.ts';
import { openCredentials } from '../credentials/sealed-credentials.ts';
import { merchantReferenceOf } from '../merchant-reference.ts';
import type { ProcessorOf } from '../ports/account.ts';
import type {
  AuthCommand,
  FollowUpCommand,
  PayCommand,
  Processor,
  ProcessorEvent,
  ProcessorResult,
  Query,
  QueryOutcome,
} from '../ports/processor.ts';
import { isUnheard } from './adyen-codes.ts';
import { adyenCurrency } from './adyen-currencies.ts';
import { disputesAmong } from './adyen-disputes.ts';
import { type AdyenAccess, type AdyenCredentials, postToAdyen } from './adyen-exchange-client.ts';
import { rememberNotices } from './adyen-notices-client.ts';
import { outcomeOfPaymentAnswer, paymentRequest } from './adyen-requests.ts';
import { giveBack, isReversalRefused, warnOfRefusal } from './adyen-reversal-client.ts';
import { adyenMemory } from './adyen-store.ts';
import {
  type AdyenMemory,
  type AdyenNotice,
  adyenRefusalResult,
  authorisedAmong,
  captureFailed,
  eventOfNotice,
  expired,
  find,
  hasCaptureFailed,
  outcomeOfModification,
  readNotices,
  reversal,
} from './adyen-webhook.ts';

type Adyen = { credentials: AdyenCredentials; memory: AdyenMemory };

/** A webhook comes within seconds, and where it was lost Adyen sends it again: no payment is ended before. */
const endedAfter = 15 * milliseconds.minute;
/** The time that a payer has for an authentication. */
const abandonedAfter = milliseconds.hour;
/** The time for which Adyen keeps an idempotency key at least. */
const keysLast = 7 * milliseconds.day;

export const adyenProcessor = (credentials: AdyenCredentials, memory: AdyenMemory): Processor => {
  const adyen: Adyen = { credentials, memory };
  return {
    name: 'adyen',
    capabilities: { payout: false, balance: false, otp: false, redirect: true, partialRefund: true },
    exponentOf: (currency) => adyenCurrency(currency)?.exponent,
    pay: (command) => pay(adyen, command),
    continueAuth: (command) => continueAuth(adyen, command),
    // Adyen sends no codes through us: the payer's next action stays the same.
    resendAuth: async ({ reference }) => ({ outcome: 'PEND', reference }),
    capture: (command) => modify(adyen, 'capture', command),
    void: (command) => modify(adyen, 'void', command),
    refund: (command) => modify(adyen, 'refund', command),
    payout: async () => unsupportedOutcome(null),
    query: (query) => askAdyen(adyen, query),
    readWebhook: ({ rawBody }) => readWebhook(adyen, rawBody),
    balance: async () => {
      throw new Error('Adyen tells no balance of a merchant account');
    },
  };
};

const unsupportedOutcome = (reference: string | null): ProcessorResult => ({
  outcome: 'EXC',
  code: 'operation_not_supported',
  reference,
});

/** The amount as Adyen counts it; undefined where it can only round it. */
export const adyenAmountOf = (money: PayCommand['money']): number | undefined => {
  const currency = countedAsPaid(adyenCurrency, money.currency);
  return currency && toProcessorAmount(money, currency);
};

/** The amount as Adyen counts it, or why it is refused before anything is sent. */
const adyenMoney = ({ money }: Pick<PayCommand, 'money'>): { currency: string; value: number } | ProcessorResult => {
  const value = adyenAmountOf(money);
  if (value !== undefined) return { currency: money.currency, value };
  return {
    outcome: 'EXC',
    code: countedAsPaid(adyenCurrency, money.currency) ? 'amount_invalid' : 'currency_not_supported',
    reference: null,
  };
};

const pay = async (adyen: Adyen, command: PayCommand): Promise<ProcessorResult> => {
  const amount = adyenMoney(command);
  if ('outcome' in amount) return amount;
  const body = paymentRequest(command, {
    merchantAccount: adyen.credentials.merchant_account,
    value: amount.value,
  });
  const reply = await postToAdyen(adyen, 'pay', { path: '/payments', body, key: command.idempotencyKey });
  return 'outcome' in reply ? reply : outcomeOfPaymentAnswer(reply.body, merchantReferenceOf(command));
};

/** `reference` is Forewarn's: it identifies a payment until it is done. */
const continueAuth = async (adyen: Adyen, { reference, ...command }: AuthCommand): Promise<ProcessorResult> => {
  const { decision } = await adyen.memory.recall(reference);
  if (decision === 'end') return { outcome: 'EXC', code: 'authentication_abandoned', reference };
  const body = { details: { redirectResult: command.authValue } };
  const reply = await postToAdyen(adyen, 'pay', { path: '/payments/details', body, key: command.idempotencyKey });
  // A result that Adyen rejects is a mistake of the caller, and the payer may still bring the right one.
  if ('outcome' in reply) return reply.outcome === 'EXC' ? { outcome: 'PEND', reference } : reply;
  // A payer may bring the result of another, cheaper payment of theirs: that payment's webhook settles it.
  if (reply.body['merchantReference'] !== reference) return { outcome: 'PEND', reference };
  const outcome = outcomeOfPaymentAnswer(reply.body, reference);
  if (outcome.outcome !== 'OK' || (await adyen.memory.decide(reference, 'keep')) === 'keep') return outcome;
  return { outcome: 'UNKNOWN', detail: 'adyen: the payment is being ended' };
};

const verbs = { capture: 'captures', void: 'cancels', refund: 'refunds' } as const;
type Modification = keyof typeof verbs;

/** Adyen only confirms that it got the request; the result comes as a webhook. */
const modify = async (
  adyen: { credentials: AdyenAccess },
  kind: Modification,
  command: FollowUpCommand,
): Promise<ProcessorResult> => {
  const amount = adyenMoney(command);
  if ('outcome' in amount) return amount;
  const reply = await postToAdyen(adyen, kind, {
    path: `/payments/${encodeURIComponent(command.reference)}/${verbs[kind]}`,
    body: {
      merchantAccount: adyen.credentials.merchant_account,
      reference: merchantReferenceOf(command),
      ...(kind !== 'void' && { amount }),
    },
    key: command.idempotencyKey,
  });
  if ('outcome' in reply) return reply;
  const { pspReference } = reply.body;
  if (typeof pspReference !== 'string') return { outcome: 'UNKNOWN', detail: 'adyen gave no reference' };
  return { outcome: 'PEND', reference: pspReference, nextAction: null };
};

/** A refund of a payment that was made elsewhere, by its `pspReference`. */
export const refundAtAdyen = (credentials: AdyenAccess, command: FollowUpCommand): Promise<ProcessorResult> =>
  modify({ credentials }, 'refund', command);

const queryAge = ({ startedAt }: Query): number => nowMilliseconds() - Date.parse(startedAt);

const askAdyen = async (adyen: Adyen, query: Query): Promise<QueryOutcome> => {
  const { kind } = query;
  if (kind === 'payout') return unsupportedOutcome(query.reference);
  if (kind === 'pay') return answerPayment(adyen, query);
  const outcome = outcomeOfModification(await recallModification(adyen, query), kind);
  if (outcome) return outcome;
  if (query.reference) return { outcome: 'PEND', reference: query.reference, nextAction: null };
  if (query.paymentReference === null || queryAge(query) > keysLast) {
    return { outcome: 'UNKNOWN', detail: 'adyen cannot be asked any more' };
  }
  // Adyen has no query, but the same key can be sent again: nothing is done twice, and the answer is repeated.
  return unlessUnheard(await modify(adyen, kind, { ...query, reference: query.paymentReference }));
};

/** Also by our own reference: what Adyen sends again may have another of Adyen's. */
const recallModification = async ({ memory }: Adyen, query: Query): Promise<readonly AdyenNotice[]> => {
  const references = [query.reference ?? [], merchantReferenceOf(query)].flat();
  const recalled = await Promise.all(references.map((reference) => memory.recall(reference)));
  return recalled.flatMap(({ notices }) => notices);
};

/** Returns nothing for an answer that was not received, which says nothing about the earlier try. */
export const unlessUnheard = (outcome: ProcessorResult): ProcessorResult =>
  outcome.outcome === 'EXC' && isUnheard(outcome.code)
    ? { outcome: 'UNKNOWN', detail: `${outcome.detail}, when it was sent again` }
    : outcome;

/**
 * A payment whose answer was lost. It is looked for among the webhooks; if none reports it, it is ended: from the
 * moment that is decided, the payment is reversed whatever comes in later.
 */
const answerPayment = async (adyen: Adyen, query: Query): Promise<QueryOutcome> => {
  const ours = merchantReferenceOf(query);
  // We only have Adyen's own reference for payments that it authorised or refused.
  if (query.reference !== null && query.reference !== ours) return answerAuthorised(adyen, query.reference);
  const { notices, decision } = await adyen.memory.recall(ours);
  if (decision === 'end') return stateOfEnding(adyen, query, notices);
  const authorised = authorisedAmong(notices);
  if (authorised !== undefined) {
    if ((await adyen.memory.decide(ours, 'keep')) === 'end') return answerPayment(adyen, query);
    return { outcome: 'OK', reference: authorised };
  }
  const refused = find(notices, 'AUTHORISATION');
  if (refused) return adyenRefusalResult(refused);
  const isWaiting = query.reference !== null;
  if (queryAge(query) < (isWaiting ? abandonedAfter : endedAfter)) {
    return isWaiting
      ? { outcome: 'PEND', reference: ours }
      : { outcome: 'UNKNOWN', detail: 'adyen has sent no webhook yet' };
  }
  if (decision === null && (await adyen.memory.decide(ours, 'end')) === 'end') return answerPayment(adyen, query);
  return { outcome: 'UNKNOWN', detail: 'adyen has sent no webhook yet' };
};

/**
 * A payment that Adyen authorised stands until its own capture fails, or until it lapses without one. One that is only authorised is not asked about again
 * once it is done: if a capture fails after that, the CAPTURE has failed.
 */
const answerAuthorised = async (adyen: Adyen, reference: string): Promise<QueryOutcome> => {
  const { notices } = await adyen.memory.recall(reference);
  const refused = authorisedAmong(notices) === undefined ? find(notices, 'AUTHORISATION', false) : undefined;
  if (refused) return adyenRefusalResult(refused);
  if (hasCaptureFailed(notices)) {
    return { outcome: 'EXC', code: 'capture_failed', reference, detail: `adyen ${captureFailed}` };
  }
  return find(notices, expired, true)
    ? { outcome: 'EXC', code: 'authorization_expired', reference, detail: `adyen ${expired}` }
    : { outcome: 'OK', reference };
};

/** The state of a payment that is being ended. */
const stateOfEnding = async (adyen: Adyen, query: Query, notices: readonly AdyenNotice[]): Promise<QueryOutcome> => {
  const ours = merchantReferenceOf(query);
  const authorised = authorisedAmong(notices);
  const cancelled = find(notices, 'TECHNICAL_CANCEL');
  const gone: ProcessorResult = {
    outcome: 'EXC',
    code: query.reference === null ? 'processor_unavailable' : 'authentication_abandoned',
    reference: authorised ?? query.reference,
    detail: 'adyen: ended',
  };
  if (cancelled?.success) return gone;
  if (authorised !== undefined) {
    if (isReversalRefused(notices)) return standing(adyen, ours, { authorised, isCancelled: cancelled?.success });
    const given = await giveBack(adyen, authorised, { notices, ours });
    if (given === 'refused') warnOfRefusal(ours);
    return given === 'later' ? beingEnded : gone;
  }
  if (cancelled) return query.reference === null ? settleUnreported(adyen, cancelled, { notices, gone }) : gone;
  const reply = await cancel(adyen, ours);
  // A payer who stayed away has authorised nothing and no longer can: continueAuth refuses, a late webhook is reversed.
  return !('outcome' in reply) && query.reference !== null ? gone : beingEnded;
};

const beingEnded: ProcessorResult = { outcome: 'UNKNOWN', detail: 'adyen: being ended' };

const cancel = (adyen: Adyen, ours: string) =>
  postToAdyen(adyen, 'void', {
    path: '/cancels',
    body: { merchantAccount: adyen.credentials.merchant_account, paymentReference: ours, reference: ours },
    key: sha256(`end:${ours}`),
  });

/** A payment that Adyen could not reverse: it may have been cancelled before. Once it is known not to be, Adyen has its money. */
const standing = async (
  adyen: Adyen,
  ours: string,
  { authorised: reference, isCancelled }: { authorised: string; isCancelled: boolean | undefined },
): Promise<ProcessorResult> => {
  if (isCancelled === false) return { outcome: 'OK', reference };
  await cancel(adyen, ours);
  return beingEnded;
};

/** Adyen did not cancel it: it was not there, or, where Adyen names it, its money was taken already, which is given back. */
const settleUnreported = async (
  adyen: Adyen,
  { originalReference: payment, merchantReference: ours }: AdyenNotice,
  { notices, gone }: { notices: readonly AdyenNotice[]; gone: ProcessorResult },
): Promise<QueryOutcome> => {
  if (payment === null) return { outcome: 'NOT_FOUND' };
  const given = await giveBack(adyen, payment, { notices, ours });
  if (given === 'refused') warnOfRefusal(ours);
  return given === 'later' ? beingEnded : gone;
};

const readWebhook = async (adyen: Adyen, rawBody: string): Promise<readonly ProcessorEvent[] | undefined> => {
  const { hmac_key: hmacKey, merchant_account: merchantAccount } = adyen.credentials;
  const notices = readNotices(rawBody, { hmacKey, merchantAccount });
  if (!notices) return undefined;
  await rememberNotices(adyen.memory, notices);
  const more: ProcessorEvent[] = [];
  for (const notice of notices) more.push(...(await followEnded(adyen, notice)));
  return [...notices.map(eventOfNotice), ...more];
};

/**
 * Acts on a payment that was ended: once it is known to exist there it is refunded, and the effects on its disputes are checked again. The
 * notice is stored first and the decision read after it; a query decides first and reads notices after it: one of the two sees the other.
 */
const followEnded = async (adyen: Adyen, notice: AdyenNotice): Promise<readonly ProcessorEvent[]> => {
  const isReversal = notice.eventCode === reversal;
  if (!isReversal && authorisedAmong([notice]) === undefined) return [];
  const { merchantReference: ours } = notice;
  const { decision, notices } = await adyen.memory.recall(ours);
  if (decision !== 'end' || find(notices, 'TECHNICAL_CANCEL', true)) return [];
  const authorised = authorisedAmong(notices);
  // A payment that Adyen could not reverse may have been reported as paid since.
  const isKept = isReversal || authorised === undefined || isReversalRefused(notices);
  const given = isKept ? 'done' : await giveBack(adyen, authorised, { notices, ours });
  // Adyen sends the webhook again if it is not taken, and all later ones wait behind it.
  if (given === 'later') throw new Error('A payment that was ended could not be reversed yet');
  if (given === 'refused') warnOfRefusal(ours);
  const about = { txid: null, references: [] };
  return disputesAmong(notices).map((dispute) => ({ id: `${ours}:${dispute}`, ...about, dispute }));
};

export const adyenProcessorOf: ProcessorOf = (route, context) =>
  adyenProcessor(openCredentials('adyen', route, context), adyenMemory(`S${context.sid}`));
