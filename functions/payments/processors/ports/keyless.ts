import { milliseconds, nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import { countedAsPaid, type ProcessorCurrency, toProcessorAmount } from '../amounts.ts';
import { endOnce, once, type ProcessorClaims } from '../claims/claims.ts';
import type { DeclineCode } from '../decline-codes.ts';
import type { FollowUpCommand, PayCommand, Processor, ProcessorResult, Query, QueryOutcome } from './processor.ts';

/**
 * The common part of adapters of processors without idempotency keys: Forewarn's own claim lets each key be sent once, and a caller who
 * repeats it gets the result of the first (docs/decisions/0065). They accept cards, and neither pay out nor ask payers for anything.
 */
type Keyless = {
  /** As details name it. */
  name: string;
  claims: ProcessorClaims;
  currencyOf(currency: string): ProcessorCurrency | undefined;
  /** Makes the payment: called once for each key. */
  pay(command: PayCommand): Promise<ProcessorResult>;
  capture(command: FollowUpCommand): Promise<ProcessorResult>;
  void(command: FollowUpCommand): Promise<ProcessorResult>;
  refund(command: FollowUpCommand): Promise<ProcessorResult>;
  /** The result of an operation. */
  answer(query: Query): Promise<QueryOutcome>;
};

type Common = Omit<Processor, 'name' | 'readWebhook' | 'balance'>;

export const keylessProcessor = (keyless: Keyless): Common => ({
  capabilities: { payout: false, balance: false, otp: false, redirect: false, partialRefund: true },
  exponentOf: (currency) => keyless.currencyOf(currency)?.exponent,
  pay: async (command) => amountRefusal(keyless, command) ?? payOnce(keyless, command),
  continueAuth: async ({ reference }) => ({ outcome: 'PEND', reference }),
  resendAuth: async ({ reference }) => ({ outcome: 'PEND', reference }),
  capture: async (command) => amountRefusal(keyless, command) ?? followUpOnce(keyless, 'capture', command),
  void: (command) => followUpOnce(keyless, 'void', command),
  refund: async (command) => amountRefusal(keyless, command) ?? followUpOnce(keyless, 'refund', command),
  payout: async () => ({ outcome: 'EXC', code: 'operation_not_supported', reference: null }),
  query: (query) => keyless.answer(query),
});

/** Why an amount is refused before anything is sent; undefined if it is not. */
const amountRefusal = ({ currencyOf }: Keyless, { money }: Pick<PayCommand, 'money'>): ProcessorResult | undefined => {
  const currency = countedAsPaid(currencyOf, money.currency);
  if (currency && toProcessorAmount(money, currency) !== undefined) return undefined;
  return { outcome: 'EXC', code: currency ? 'amount_invalid' : 'currency_not_supported', reference: null };
};

const payOnce = (keyless: Keyless, command: PayCommand): Promise<ProcessorResult> =>
  once(keyless.claims, `pay:${command.idempotencyKey}`, {
    act: () => keyless.pay(command),
    repeat: () => again(keyless, { ...command, kind: 'pay', paymentReference: null }),
  });

const followUpOnce = (
  keyless: Keyless,
  kind: 'capture' | 'void' | 'refund',
  command: FollowUpCommand,
): Promise<ProcessorResult> => {
  const work = {
    act: () => keyless[kind](command),
    repeat: () => again(keyless, { ...command, kind, paymentReference: command.reference }),
  };
  return kind === 'refund'
    ? once(keyless.claims, `refund:${command.idempotencyKey}`, work)
    : endOnce(keyless.claims, kind, command, work);
};

type Repeated = Pick<Query, 'kind' | 'paymentReference'> & Pick<PayCommand, 'txid' | 'idempotencyKey' | 'money'>;

/** The result of an earlier try, for a caller who sends the same key again. */
const again = async (
  { name, answer }: Keyless,
  { kind, paymentReference, txid, idempotencyKey, money }: Repeated,
): Promise<ProcessorResult> => {
  const asked = { kind, paymentReference, txid, idempotencyKey, money, reference: null, startedAt: nowIso() };
  const found = await answer(asked);
  return found.outcome === 'NOT_FOUND' ? { outcome: 'UNKNOWN', detail: `${name} does not have it` } : found;
};

export type KeylessFailure = Extract<ProcessorResult, { outcome: 'EXC' | 'UNKNOWN' }>;

/** A payment that could not be looked at before anything was sent: nothing was done to it. */
export const asUnasked = (failure: KeylessFailure): KeylessFailure =>
  failure.outcome === 'UNKNOWN'
    ? { outcome: 'EXC', code: 'processor_unavailable', reference: null, detail: failure.detail }
    : failure;

/**
 * Our requests end after 20 seconds; the rest allows for searches that lag, for work that a processor continues after we disconnect, and for
 * clocks that differ.
 */
const certainMilliseconds = 5 * milliseconds.minute;

/** The outcome if a processor does not have the operation that was asked for. */
export const absent = (name: string, { startedAt }: Query): QueryOutcome =>
  nowMilliseconds() - Date.parse(startedAt) >= certainMilliseconds
    ? { outcome: 'NOT_FOUND' }
    : { outcome: 'UNKNOWN', detail: `${name} does not have it yet` };

/** For a query whose payment is not known. */
export const paymentUnknown: QueryOutcome = { outcome: 'UNKNOWN', detail: 'the payment of it is not known' };

/** A query that could not be answered because the other side could not be asked. */
export const notAsked = ({ detail = '' }: KeylessFailure): QueryOutcome => ({ outcome: 'UNKNOWN', detail });

/** Returns the outcome that counts among several of one operation: a success, if there is any. */
export const pickBest = <T extends { outcome: string }>(outcomes: readonly T[]): T | undefined =>
  outcomes.find(({ outcome }) => outcome === 'OK') ?? outcomes[0];

/** Makes refusals whose details name the processor. */
export const refusalsBy =
  (name: string) =>
  (code: DeclineCode, detail: string): Extract<ProcessorResult, { outcome: 'EXC' }> => ({
    outcome: 'EXC',
    code,
    reference: null,
    detail: `${name}: ${detail}`,
  });
