import { iso, milliseconds } from '#core/kernel/clock.ts';
import { parseAmount } from '#core/kernel/money/money.ts';
import { codeOfKind } from '../kind-codes.ts';
import { type Node, toNode } from '../ports/outside-data.ts';
import type { QueryOutcome } from '../ports/processor.ts';
import { codeOfDecline } from './braintree-codes.ts';

/** The meaning of Braintree's transactions and refunds. https://developer.paypal.com/braintree/graphql/reference */

export type BraintreeRefund = {
  /** The short identifier that its pages show, and its webhooks. */
  id: string;
  orderId: string;
  status: string;
  minor: bigint;
  createdAt: string;
};

export type BraintreeTransaction = BraintreeRefund & {
  currency: string;
  authCode: string;
  arn: string;
  networkReference: string;
  bin: string;
  last4: string;
  /** Why it was declined, if it was. */
  response: string;
  rejection: string;
  voidedAt: string | null;
  refunds: readonly BraintreeRefund[];
  disputes: readonly { type: string; status: string; minor: bigint; openedAt: string | undefined }[];
  isRecurring: boolean;
  descriptor: string;
};

const toNodes = (value: unknown): Node[] => (Array.isArray(value) ? value.map(toNode) : []);
const textAt = (node: Node, name: string): string => (typeof node[name] === 'string' ? node[name] : '');

/** Minor units of an amount, which may come without decimals. */
const readMinor = (value: unknown): bigint => {
  const { value: amount, currencyCode } = toNode(value);
  const money = parseAmount(String(amount ?? '').replace(/^-/, ''), String(currencyCode ?? ''));
  return typeof money === 'string' ? 0n : money.minor;
};

/** A time from Braintree as ISO; undefined if it is not one. */
export const readTime = (text: string): string | undefined => {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : iso(time);
};

const readRefund = (node: Node): BraintreeRefund => ({
  id: textAt(node, 'legacyId'),
  orderId: textAt(node, 'orderId'),
  status: textAt(node, 'status'),
  minor: readMinor(node['amount']),
  createdAt: textAt(node, 'createdAt'),
});

export const readBraintreeRefund = (value: unknown): BraintreeRefund | undefined => {
  const refund = readRefund(toNode(value));
  return refund.id === '' ? undefined : refund;
};

export const readTransaction = (value: unknown): BraintreeTransaction | undefined => {
  const node = toNode(value);
  const made = readRefund(node);
  if (made.id === '') return undefined;
  const history = toNodes(node['statusHistory']);
  const snapshot = toNode(node['paymentMethodSnapshot']);
  const card = 'creditCard' in snapshot ? toNode(snapshot['creditCard']) : snapshot;
  const responses = history.map((event) => toNode(event['processorResponse']));
  return {
    ...made,
    currency: textAt(toNode(node['amount']), 'currencyCode'),
    authCode: responses.map((response) => textAt(response, 'authorizationId')).find(Boolean) ?? '',
    arn: textAt(snapshot, 'acquirerReferenceNumber'),
    networkReference: textAt(snapshot, 'networkTransactionId'),
    bin: textAt(card, 'bin'),
    last4: textAt(card, 'last4'),
    response: responses.map((response) => textAt(response, 'legacyCode')).find(Boolean) ?? '',
    rejection: history.map((event) => textAt(event, 'gatewayRejectionReason')).find(Boolean) ?? '',
    voidedAt:
      history.filter((event) => event['status'] === 'VOIDED').map((event) => textAt(event, 'timestamp'))[0] ?? null,
    refunds: toNodes(node['refunds']).map(readRefund),
    disputes: toNodes(node['disputes']).map((one) => ({
      type: textAt(one, 'type'),
      status: textAt(one, 'status'),
      minor: readMinor(one['amountDisputed']),
      openedAt: readTime(textAt(one, 'createdAt')) ?? readTime(textAt(one, 'receivedDate')),
    })),
    isRecurring: node['source'] === 'RECURRING',
    descriptor: textAt(toNode(node['descriptor']), 'name'),
  };
};

const captured = ['SUBMITTED_FOR_SETTLEMENT', 'SETTLEMENT_PENDING', 'SETTLEMENT_CONFIRMED', 'SETTLING', 'SETTLED'];
const failed = ['PROCESSOR_DECLINED', 'GATEWAY_REJECTED', 'FAILED', 'SETTLEMENT_DECLINED'];

export const isCaptured = ({ status }: Pick<BraintreeRefund, 'status'>): boolean => captured.includes(status);
export const isBraintreeRefundFailed = ({ status }: Pick<BraintreeRefund, 'status'>): boolean =>
  failed.includes(status);
/** From then on it is refunded; before that it can only be voided, as a whole. */
export const isBraintreeRefundSettled = ({ status }: Pick<BraintreeRefund, 'status'>): boolean =>
  status === 'SETTLING' || status === 'SETTLED';

/** Returns how much of a payment was refunded, or is about to be. */
export const braintreeRefundedOf = ({ refunds }: Pick<BraintreeTransaction, 'refunds'>): bigint =>
  refunds
    .filter((refund) => !isBraintreeRefundFailed(refund) && refund.status !== 'VOIDED')
    .reduce((sum, { minor }) => sum + minor, 0n);

/** The outcome of a payment by its status. One that was voided later still counts as made. */
export const outcomeOfTransaction = (transaction: BraintreeTransaction): QueryOutcome => {
  const { id: reference, status, authCode, arn, networkReference, response, rejection } = transaction;
  const detail = `braintree ${status}${response && ` ${response}`}`;
  if (status === 'SETTLEMENT_DECLINED') return { outcome: 'EXC', code: 'capture_failed', reference, detail };
  if (isBraintreeRefundFailed(transaction))
    return { outcome: 'EXC', code: codeOfDecline(response, rejection), reference, detail };
  // The authorisation has lapsed and can no longer be captured.
  if (status === 'AUTHORIZATION_EXPIRED') return { outcome: 'EXC', code: 'authorization_expired', reference, detail };
  if (status === 'AUTHORIZING') return { outcome: 'PEND', reference, nextAction: null };
  return {
    outcome: 'OK',
    reference,
    ...(arn && { arn }),
    ...(authCode && { authCode }),
    ...(networkReference && { networkReference }),
  };
};

export const outcomeOfBraintreeRefund = (refund: BraintreeRefund): QueryOutcome => {
  const { id: reference, status } = refund;
  if (!isBraintreeRefundFailed(refund) && status !== 'VOIDED') return { outcome: 'OK', reference };
  return { outcome: 'EXC', code: codeOfKind.refund, reference, detail: `braintree ${status}` };
};

/** Returns the result of a capture or a void, by the payment it is of; undefined if there was none yet. */
export const outcomeOfEnd = (transaction: BraintreeTransaction, kind: 'capture' | 'void'): QueryOutcome | undefined => {
  const { id: reference, status } = transaction;
  const isVoided = status === 'VOIDED' || status === 'AUTHORIZATION_EXPIRED';
  const [isDone, isOther] =
    kind === 'capture' ? [isCaptured(transaction), isVoided] : [isVoided, isCaptured(transaction)];
  if (isDone) return { outcome: 'OK', reference };
  if (!isOther && status !== 'SETTLEMENT_DECLINED') return undefined;
  return { outcome: 'EXC', code: codeOfKind[kind], reference, detail: `braintree ${status}` };
};

/** The tolerated difference between our clock and Braintree's. */
const skew = 2 * milliseconds.minute;

/** Checks whether a payment was reversed since a time (ISO): voided, or refunded whole as it had settled meanwhile. */
export const wasReversedSince = (
  { status, voidedAt, refunds, minor }: BraintreeTransaction,
  since: string,
): boolean => {
  const from = iso(Date.parse(since) - skew);
  const isSince = (time: string) => (readTime(time) ?? '') >= from;
  if (status === 'VOIDED') return voidedAt !== null && isSince(voidedAt);
  return refunds.some(
    (refund) => refund.minor === minor && !isBraintreeRefundFailed(refund) && isSince(refund.createdAt),
  );
};
