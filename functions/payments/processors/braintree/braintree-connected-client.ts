import { iso, nowMilliseconds } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import type { ConnectedProcessorOf } from '../ports/account.ts';
import { stateByDisputes } from '../ports/charge-state.ts';
import {
  type ChargeCandidate,
  type ChargePage,
  type ChargeRefundRequest,
  type ChargeSearchResult,
  type ChargeSpan,
  type Check,
  type ConnectedProcessor,
  type ConnectionTrouble,
  chargeSearchSpan,
  type DisputedCharge,
  isCertain,
  patienceMilliseconds,
  type RefundState,
  refusedOutcome,
  searchStart,
  unknownOutcome,
} from '../ports/connected-processor.ts';
import { type KeylessFailure, pickBest } from '../ports/keyless.ts';
import { toNode } from '../ports/outside-data.ts';
import type { ProcessorResult } from '../ports/processor.ts';
import { braintreeStanding } from './braintree-disputes.ts';
import {
  askBraintree,
  type BraintreeKeys,
  globalId,
  readPayment,
  searchBraintree,
  searchBraintreePage,
} from './braintree-exchange-client.ts';
import {
  type BraintreeRefund,
  type BraintreeTransaction,
  braintreeRefundedOf,
  isBraintreeRefundFailed,
  isBraintreeRefundSettled,
  isCaptured,
  outcomeOfBraintreeRefund,
  readBraintreeRefund,
  readTime,
  readTransaction,
} from './braintree-outcomes.ts';

/** A merchant's own account at Braintree. It knows no idempotency keys: before sending a refund, the adapter checks whether it was already made. */
export const connectBraintree = (credentials: BraintreeKeys): ConnectedProcessor => ({
  kind: 'braintree',
  find: (disputed) => findAt(credentials, disputed),
  look: (reference) => lookAtBraintree(credentials, reference),
  list: (span, cursor) => listBraintree(credentials, span, cursor),
  refund: (request) => refund(credentials, request),
  refundState: (request) => refundState(credentials, request),
  // Subscriptions are not part of the GraphQL API: see docs/decisions/0068.
  check: () => checkBraintree(credentials),
});

const within = patienceMilliseconds;

const keyTrouble = (failure: KeylessFailure): ConnectionTrouble => ({
  problem: failure.outcome === 'EXC' && failure.code === 'processor_credentials' ? 'credentials' : 'unavailable',
  detail: failure.detail ?? '',
});

const isMade = (transaction: BraintreeTransaction): boolean =>
  !isBraintreeRefundFailed(transaction) && transaction.status !== 'AUTHORIZING';

/** Undefined for a transaction whose time cannot be read: whether an alert is about it cannot be decided. */
const toCharge = (transaction: BraintreeTransaction): ChargeCandidate | undefined => {
  const { id, orderId, createdAt, minor, currency, bin, last4, authCode, arn, status, disputes, descriptor } =
    transaction;
  const isVoided = status === 'VOIDED';
  const date = readTime(createdAt);
  if (date === undefined) return undefined;
  return {
    reference: id,
    secondReference: orderId,
    type: status === 'AUTHORIZED' ? 'authorization' : 'sale',
    date,
    money: { minor, currency },
    first6: bin,
    last4,
    authCode: authCode || null,
    arn: arn || null,
    descriptor,
    // For an alert, a voided charge counts as taken and given back.
    captured: isVoided || isCaptured(transaction) ? minor : 0n,
    refunded: isVoided ? minor : braintreeRefundedOf(transaction),
    isSettled: isBraintreeRefundSettled(transaction),
    isUnclear: false,
    ...stateByDisputes(
      disputes.map(({ type, status, openedAt = '' }) => ({ ...braintreeStanding(type, status), openedAt })),
    ),
    subscription: null,
  };
};

const findAt = async (credentials: BraintreeKeys, disputed: DisputedCharge): Promise<ChargeSearchResult> => {
  const { from, to } = chargeSearchSpan(disputed);
  const { first6, last4, money, arn } = disputed;
  const ends = { ...(first6 && { startsWith: first6 }), endsWith: last4 };
  const input = {
    createdAt: { greaterThanOrEqualTo: iso(from), lessThanOrEqualTo: iso(to) },
    paymentMethod: { paymentMethodSnapshot: { creditCardDetails: { number: ends } } },
    // A reference number (ARN) identifies a charge in any currency.
    ...(money && arn === '' && { amount: { value: { is: formatAmount(money) } } }),
  };
  const found = await searchBraintree(credentials, { document: 'transactions', input, within });
  if ('unasked' in found) return whyUnasked(found.unasked);
  const made = found.nodes.flatMap((node) => readTransaction(node) ?? []).filter(isMade);
  const candidates = made.flatMap((transaction) => toCharge(transaction) ?? []);
  return { candidates, isWhole: candidates.length === made.length };
};

/** Braintree includes the end of a range: a transaction on the border of two spans belongs to the later one. */
const listBraintree = async (
  credentials: BraintreeKeys,
  { from, to }: ChargeSpan,
  cursor: string | null,
): Promise<ChargePage | ConnectionTrouble> => {
  const input = { createdAt: { greaterThanOrEqualTo: from, lessThanOrEqualTo: to } };
  const found = await searchBraintreePage(credentials, { document: 'transactions', input, within }, cursor);
  if ('unasked' in found) return whyUnasked(found.unasked);
  const made = found.nodes.flatMap((node) => readTransaction(node) ?? []).filter(isMade);
  const charges = made.flatMap((transaction) => toCharge(transaction) ?? []).filter(({ date }) => date < to);
  return { charges, next: found.next };
};

/** Why a search could not be made, from the text of the failure. */
const whyUnasked = (detail: string): ConnectionTrouble => {
  if (detail.includes('too much')) return { problem: 'too_many', detail };
  const isRight = /AUTHENTICATION|AUTHORIZATION| 40[13]\b/.test(detail);
  return { problem: isRight ? 'credentials' : 'unavailable', detail };
};

const lookAtBraintree = async (
  credentials: BraintreeKeys,
  reference: string,
): Promise<ChargeCandidate | null | ConnectionTrouble> => {
  const read = await readPayment(credentials, reference, within);
  if ('outcome' in read) return isNothing(read) ? null : keyTrouble(read);
  return isMade(read.payment) ? (toCharge(read.payment) ?? unreadableTime) : null;
};

const timeWords = 'braintree tells a time that cannot be read';
const unreadableTime: ConnectionTrouble = { problem: 'unavailable', detail: timeWords };

const isNothing = (failure: KeylessFailure): boolean =>
  failure.outcome === 'EXC' && failure.code === 'not_found_at_processor';

/** The order id by which our refund is found again. */
const orderIdOf = ({ reference, key }: ChargeRefundRequest): string => `fw-${reference}-${sha256(key).slice(0, 16)}`;

type Standing = { payment: BraintreeTransaction; id: string };

/** The result of a refund that may have been sent before, or else the state of the charge. */
const earlier = async (
  credentials: BraintreeKeys,
  request: ChargeRefundRequest,
): Promise<ProcessorResult | Standing> => {
  const read = await readPayment(credentials, request.reference, within);
  if ('outcome' in read) return read;
  const { payment } = read;
  const since = searchStart(request);
  const isNamed = ({ orderId }: BraintreeRefund) => orderId === orderIdOf(request);
  const isOfAmount = ({ minor }: BraintreeRefund) => minor === request.money.minor;
  const isSince = (time: string | undefined) => time !== undefined && time >= since;
  const isOwn = (refund: BraintreeRefund) =>
    isNamed(refund) || (isOfAmount(refund) && isSince(readTime(refund.createdAt)));
  const refunds = payment.refunds.filter(isOwn).map(outcomeOfBraintreeRefund);
  const made = pickBest(refunds);
  if (made && made.outcome !== 'NOT_FOUND') return made;
  // An undated refund of the same amount may be this one or an earlier one.
  if (payment.refunds.some((refund) => isOfAmount(refund) && readTime(refund.createdAt) === undefined)) {
    return unknownOutcome(timeWords);
  }
  const isVoided = payment.status === 'VOIDED' && payment.voidedAt !== null && isSince(readTime(payment.voidedAt));
  return isVoided ? { outcome: 'OK', reference: payment.id } : read;
};

const refund = async (credentials: BraintreeKeys, request: ChargeRefundRequest): Promise<ProcessorResult> => {
  const before = await earlier(credentials, request);
  if ('outcome' in before) {
    return before.outcome === 'UNKNOWN' ? refusedOutcome('processor_unavailable', before.detail) : before;
  }
  const { payment, id } = before;
  const { minor } = request.money;
  if (!isCaptured(payment)) return refusedOutcome('refund_failed', `braintree ${payment.status}`);
  if (minor > payment.minor - braintreeRefundedOf(payment))
    return refusedOutcome('amount_invalid', 'braintree: more than is left');
  if (isBraintreeRefundSettled(payment)) return refundPart(credentials, request, id);
  const isWhole = minor === payment.minor && braintreeRefundedOf(payment) === 0n;
  return isWhole ? reverse(credentials, id) : refusedOutcome('refund_failed', 'braintree: it has not settled yet');
};

const refundPart = async (
  credentials: BraintreeKeys,
  request: ChargeRefundRequest,
  id: string,
): Promise<ProcessorResult> => {
  const amount = formatAmount(request.money);
  const input = { transactionId: id, refund: { amount, orderId: orderIdOf(request) } };
  const reply = await askBraintree(credentials, {
    document: 'refundTransaction',
    variables: { input },
    kind: 'refund',
    within,
  });
  if ('outcome' in reply) return reply;
  const made = readBraintreeRefund(toNode(reply.data['refundTransaction'])['refund']);
  return made
    ? outcomeOfState(outcomeOfBraintreeRefund(made))
    : unknownOutcome('braintree answered nothing that can be read');
};

const reverse = async (credentials: BraintreeKeys, id: string): Promise<ProcessorResult> => {
  const variables = { input: { transactionId: id } };
  const reply = await askBraintree(credentials, { document: 'reverseTransaction', variables, kind: 'refund', within });
  if ('outcome' in reply) return reply;
  const reversal = toNode(toNode(reply.data['reverseTransaction'])['reversal']);
  const made = readBraintreeRefund(reversal);
  if (!made) return unknownOutcome('braintree answered nothing that can be read');
  return reversal['__typename'] === 'Refund'
    ? outcomeOfState(outcomeOfBraintreeRefund(made))
    : { outcome: 'OK', reference: made.id };
};

const outcomeOfState = (state: RefundState): ProcessorResult =>
  state.outcome === 'NOT_FOUND' ? unknownOutcome('braintree lost it') : state;

const refundState = async (credentials: BraintreeKeys, request: ChargeRefundRequest): Promise<RefundState> => {
  const found = await earlier(credentials, request);
  if ('outcome' in found) {
    const isDefinite = found.outcome !== 'EXC' || found.reference !== null;
    return isDefinite ? found : unknownOutcome(found.detail ?? '');
  }
  return isCertain(request, nowMilliseconds())
    ? { outcome: 'NOT_FOUND' }
    : unknownOutcome('braintree does not have it yet');
};

/** No transaction has this identifier, so reversing it changes nothing and shows whether the key may reverse at all. */
const nobody = 'forewarncheck';

const isForbidden = (reply: object): boolean => 'code' in reply && reply.code === 'processor_credentials';

const checkBraintree = async (credentials: BraintreeKeys): Promise<Check> => {
  const global = await globalId(credentials, nobody, 'TRANSACTION', within);
  if ('outcome' in global) return toCheck(global);
  const input = { orderId: { is: nobody } };
  const searched = await searchBraintree(credentials, { document: 'transactions', input, within });
  const variables = { input: { transactionId: global.id } };
  const moved = await askBraintree(credentials, { document: 'reverseTransaction', variables, kind: 'refund', within });
  const missing = [
    ...('unasked' in searched && searched.unasked.includes('AUTHORIZATION') ? ['Download Transactions'] : []),
    ...(isForbidden(moved) ? ['Void and Refund Transactions'] : []),
  ];
  if (missing.length > 0) {
    return { isWorking: false, problem: 'credentials', missing, detail: 'The API user lacks a permission.' };
  }
  if ('unasked' in searched) return toCheck({ outcome: 'UNKNOWN', detail: searched.unasked });
  const isAnswered = 'data' in moved || (moved.outcome === 'EXC' && moved.code !== 'processor_unavailable');
  return isAnswered ? { isWorking: true } : toCheck(moved);
};

const toCheck = (failure: KeylessFailure): Check =>
  isForbidden(failure)
    ? { isWorking: false, problem: 'credentials', missing: [], detail: 'Braintree does not know these keys.' }
    : { isWorking: false, problem: 'unavailable', missing: [], detail: 'Braintree did not answer.' };

export const braintreeConnectedProcessorOf: ConnectedProcessorOf = ({ open }) => connectBraintree(open('braintree'));
