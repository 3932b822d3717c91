import { withLuhnDigit } from '#core/kernel/card/luhn.ts';
import { iso, milliseconds } from '#core/kernel/clock.ts';
import type { DeclineCode } from '../decline-codes.ts';
import type { NextAction, ProcessorResult } from '../ports/processor.ts';
import type { PaymentReference } from './sandbox-reference.ts';

/**
 * The processor that moves no money. What it does is decided by the card's number and the amount's last two digits, so that
 * every course of a payment can be tried on purpose. See docs/decisions/0031-sandbox.md.
 */

/** The test numbers that merchants know from Stripe. */
const declinedNumbers: Readonly<Record<string, DeclineCode>> = {
  '4000000000000002': 'card_declined',
  '4000000000009995': 'insufficient_funds',
  '4000000000009987': 'lost_card',
  '4000000000009979': 'stolen_card',
  '4000000000000069': 'expired_card',
  '4000000000000127': 'incorrect_cvc',
};
export const pickDecline = (number: string): DeclineCode | undefined => declinedNumbers[number];

export type Behaviour =
  | 'plain'
  | 'pending'
  | 'lost'
  | 'redirect'
  | 'otp'
  | 'refunds_fail'
  | 'never_arrives'
  | 'slow'
  | 'follow_ups_lost'
  | 'captures_fail';

const behaviours: Readonly<Record<string, Behaviour>> = {
  61: 'pending',
  62: 'lost',
  63: 'redirect',
  64: 'otp',
  65: 'refunds_fail',
  66: 'never_arrives',
  67: 'slow',
  68: 'follow_ups_lost',
  69: 'captures_fail',
};

/** The last two digits of the minor units, whatever decimals the currency has: 10.61 USD, 1061 JPY, 1.061 KWD. */
export const behaviourOf = (minor: bigint): Behaviour => behaviours[String(minor % 100n)] ?? 'plain';

const pendingMilliseconds = milliseconds.minute;
export const slowMilliseconds = 4 * milliseconds.second;
/** The time limit for a payer. */
const payerMilliseconds = milliseconds.hour;
/** After this long no operation can still be on its way: none of our functions runs longer. */
export const sandboxCertainMilliseconds = 2 * milliseconds.minute;
const rightCode = '123456';
const maxAttempts = 3;

export type SandboxOperation = {
  kind: 'capture' | 'void' | 'refund';
  minor: string;
  /** Null: done. */
  refused: DeclineCode | null;
  /** Until when it is pending, ISO. */
  readyAt: string | null;
};

/** `payee`: the name that the page shows as the recipient; null for payouts. */
type Page = { secret: string; url: string; returnUrl: string; payee: string | null };

/** A payment or a payout, from its first follow-up, redirect, code or lost answer on. Minor units as text. */
export type SandboxPayment = {
  id: string;
  sid: number;
  txid: number;
  kind: 'pay' | 'payout';
  minor: string;
  currency: string;
  capture: boolean;
  begunAt: number;
  stage: 'redirect' | 'otp' | 'authorised' | 'captured' | 'voided' | 'failed';
  error: DeclineCode | null;
  refunded: string;
  /** The time until which the payer may act, ISO; null if no action is needed. */
  expiresAt: string | null;
  page: Page | null;
  /** The identifiers of the tries of a code. */
  tries: readonly string[];
  operations: Readonly<Record<string, SandboxOperation>>;
  version: number;
};

type Begun = Pick<SandboxPayment, 'sid' | 'txid'> & PaymentReference;

const plainPayment = ({ minor, sid, txid, id, kind, currency, capture, begunAt }: Begun): SandboxPayment => ({
  id,
  sid,
  txid,
  kind,
  currency,
  capture,
  begunAt,
  minor: String(minor),
  stage: capture ? 'captured' : 'authorised',
  error: null,
  refunded: '0',
  expiresAt: null,
  page: null,
  tries: [],
  operations: {},
  version: 0,
});

const withRow: readonly Behaviour[] = ['lost', 'redirect', 'otp', 'never_arrives'];

/** Returns how a payment or payout behaves. A payout needs no confirmation. */
export const behaviourOfKind = (kind: 'pay' | 'payout', minor: bigint): Behaviour => {
  const behaviour = behaviourOf(minor);
  return kind === 'payout' && (behaviour === 'redirect' || behaviour === 'otp') ? 'plain' : behaviour;
};

/** A payment that has no row yet, as its reference tells; undefined if it would have one. */
export const fromReference = (sid: number, reference: PaymentReference): SandboxPayment | undefined =>
  withRow.includes(behaviourOfKind(reference.kind, reference.minor))
    ? undefined
    : plainPayment({ ...reference, sid, txid: 0 });

/** If an authentication is requested, a payment that needs no confirmation goes to the page first. */
export const behaviourWithPage = (behaviour: Behaviour): Behaviour =>
  withRow.includes(behaviour) ? behaviour : 'redirect';

/** A payment that is written as soon as it begins: its answer will be lost, or the payer has to act. `now`: milliseconds. */
export const begunPayment = (begun: Begun, behaviour: Behaviour, page: Page, now: number): SandboxPayment => {
  if (behaviour !== 'redirect' && behaviour !== 'otp') return plainPayment(begun);
  const expiresAt = iso(now + payerMilliseconds);
  return { ...plainPayment(begun), stage: behaviour, expiresAt, page: behaviour === 'redirect' ? page : null };
};

/** Authorisation codes have six digits and acquirer reference numbers 23: both follow from the identifier. */
const idDigits = (id: string, count: number): string =>
  String(BigInt(`0x${id}`) % 10n ** BigInt(count)).padStart(count, '0');

const makeArn = (id: string): string => withLuhnDigit(`7${idDigits(id, 21)}`);
const authCodeOf = (id: string): string => idDigits(id, 6);

const nextAction = ({ page, tries }: SandboxPayment): NextAction =>
  page ? { type: 'redirect', url: page.url } : { type: 'otp', channel: 'SMS', tries_left: maxAttempts - tries.length };

const isAwaiting = ({ stage }: SandboxPayment): boolean => stage === 'redirect' || stage === 'otp';
export const isSandboxPaymentExpired = ({ expiresAt }: SandboxPayment, now: number): boolean =>
  expiresAt !== null && expiresAt <= iso(now);

const isPending = ({ kind, minor, begunAt }: SandboxPayment, now: number): boolean =>
  behaviourOfKind(kind, BigInt(minor)) === 'pending' && now < begunAt + pendingMilliseconds;

/** Returns the result of a payment or a payout. */
export const sandboxPaymentResult = (payment: SandboxPayment, reference: string, now: number): ProcessorResult => {
  if (payment.stage === 'failed') return { outcome: 'EXC', code: payment.error ?? 'authentication_failed', reference };
  if (isAwaiting(payment)) {
    if (isSandboxPaymentExpired(payment, now)) return { outcome: 'EXC', code: 'authentication_abandoned', reference };
    return { outcome: 'PEND', reference, nextAction: nextAction(payment) };
  }
  if (isPending(payment, now)) return { outcome: 'PEND', reference, nextAction: null };
  return {
    outcome: 'OK',
    reference,
    arn: makeArn(payment.id),
    authCode: authCodeOf(payment.id),
    networkReference: `0${idDigits(payment.id, 14)}`,
  };
};

export const outcomeOfOperation = (
  { refused, readyAt }: SandboxOperation,
  reference: string,
  now: number,
): ProcessorResult => {
  if (refused) return { outcome: 'EXC', code: refused, reference };
  return readyAt !== null && iso(now) < readyAt
    ? { outcome: 'PEND', reference, nextAction: null }
    : { outcome: 'OK', reference };
};

export type SandboxRequest = { id: string; kind: SandboxOperation['kind']; minor: bigint; currency: string };

/** A refund of another amount than the payment's has its own behaviour; otherwise the payment's would apply twice. */
export const behaviourOfRequest = (
  { kind, minor }: SandboxRequest,
  payment: Pick<SandboxPayment, 'minor'>,
): Behaviour => (kind === 'refund' && String(minor) !== payment.minor ? behaviourOf(minor) : 'plain');

const findRefusal = (payment: SandboxPayment, request: SandboxRequest, now: number): DeclineCode | null => {
  const { kind, minor, currency } = request;
  if (payment.kind === 'payout') return 'operation_not_supported';
  if (currency !== payment.currency || minor <= 0n) return 'amount_invalid';
  const isLive = !isAwaiting(payment) && !isPending(payment, now);
  const own = behaviourOf(BigInt(payment.minor));
  if (kind === 'refund') {
    const fails = own === 'refunds_fail' || behaviourOfRequest(request, payment) === 'refunds_fail';
    if (!isLive || payment.stage !== 'captured' || fails) return 'refund_failed';
    return BigInt(payment.refunded) + minor > BigInt(payment.minor) ? 'refund_failed' : null;
  }
  if (kind === 'void') {
    if (payment.stage === 'voided') return 'already_done';
    return isLive && payment.stage === 'authorised' ? null : 'void_failed';
  }
  if (payment.stage === 'captured') return 'already_done';
  if (!isLive || payment.stage !== 'authorised' || own === 'captures_fail') return 'capture_failed';
  return String(minor) === payment.minor ? null : 'amount_invalid';
};

/**
 * A capture, void or refund. One that was done before, or refused, is left as it was: a key works once. Refusals
 * are also written, so that the same key gets the same answer.
 */
export const withOperation = (payment: SandboxPayment, request: SandboxRequest, now: number): SandboxPayment => {
  if (payment.operations[request.id]) return payment;
  const refused = findRefusal(payment, request, now);
  const isSlow = behaviourOfRequest(request, payment) === 'pending';
  const operation: SandboxOperation = {
    kind: request.kind,
    minor: String(request.minor),
    refused,
    readyAt: isSlow ? iso(now + pendingMilliseconds) : null,
  };
  const changed = { ...payment, operations: { ...payment.operations, [request.id]: operation } };
  if (refused) return changed;
  if (request.kind === 'refund') return { ...changed, refunded: String(BigInt(payment.refunded) + request.minor) };
  return { ...changed, stage: request.kind === 'capture' ? 'captured' : 'voided' };
};

const confirmPayment = (payment: SandboxPayment): SandboxPayment => ({
  ...payment,
  stage: payment.capture ? 'captured' : 'authorised',
  expiresAt: null,
});

/** The payment after a code was tried; `attempt` names the try, so that one that is sent twice counts once. */
export const withCode = (payment: SandboxPayment, attempt: string, code: string, now: number): SandboxPayment => {
  if (payment.stage !== 'otp' || isSandboxPaymentExpired(payment, now) || payment.tries.includes(attempt))
    return payment;
  const tries = [...payment.tries, attempt];
  if (code.trim() === rightCode) return confirmPayment({ ...payment, tries });
  return tries.length < maxAttempts
    ? { ...payment, tries }
    : { ...payment, tries, stage: 'failed', error: 'authentication_failed', expiresAt: null };
};

/** The payment after the payer pressed a button of the hosted page; what was answered before, or too late, stays. */
export const withAnswer = (payment: SandboxPayment, answer: 'approve' | 'decline', now: number): SandboxPayment => {
  if (payment.stage !== 'redirect' || isSandboxPaymentExpired(payment, now)) return payment;
  return answer === 'approve'
    ? confirmPayment(payment)
    : { ...payment, stage: 'failed', error: 'authentication_failed', expiresAt: null };
};
