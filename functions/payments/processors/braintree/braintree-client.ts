import { type ProcessorClaims, releaseEnd } from '../claims/claims.ts';
import { openClaims } from '../claims/claims-store.ts';
import { openCredentials } from '../credentials/sealed-credentials.ts';
import { merchantReferenceOf } from '../merchant-reference.ts';
import type { ProcessorOf } from '../ports/account.ts';
import {
  absent,
  asUnasked,
  type KeylessFailure,
  keylessProcessor,
  notAsked,
  paymentUnknown,
  pickBest,
  refusalsBy,
} from '../ports/keyless.ts';
import { toNode } from '../ports/outside-data.ts';
import type {
  FollowUpCommand,
  OperationKind,
  PayCommand,
  Processor,
  ProcessorResult,
  Query,
  QueryOutcome,
} from '../ports/processor.ts';
import { braintreeCurrency } from './braintree-currencies.ts';
import {
  askBraintree,
  type BraintreeAnswer,
  type BraintreeCredentials,
  readNode,
  readPayment,
  searchBraintree,
} from './braintree-exchange-client.ts';
import {
  type BraintreeTransaction,
  braintreeRefundedOf,
  isBraintreeRefundSettled,
  isCaptured,
  outcomeOfBraintreeRefund,
  outcomeOfEnd,
  outcomeOfTransaction,
  readBraintreeRefund,
  readTransaction,
  wasReversedSince,
} from './braintree-outcomes.ts';
import { captureInput, type DocumentName, paymentInput, refundInput, tokenInput } from './braintree-requests.ts';
import { readBraintreeWebhook } from './braintree-webhook.ts';

export type { BraintreeCredentials } from './braintree-exchange-client.ts';

type Braintree = { credentials: BraintreeCredentials; claims: ProcessorClaims };

export const braintreeProcessor = (credentials: BraintreeCredentials, claims: ProcessorClaims): Processor => {
  const braintree: Braintree = { credentials, claims };
  return {
    name: 'braintree',
    ...keylessProcessor({
      name: 'braintree',
      claims,
      currencyOf: braintreeCurrency,
      pay: (command) => pay(braintree, command),
      capture: (command) => capture(braintree, command),
      void: (command) => cancel(braintree, command),
      refund: (command) => refund(braintree, command),
      answer: (query) => askPayment(braintree, query),
    }),
    readWebhook: async (call) => readBraintreeWebhook(credentials, call),
    balance: async () => {
      throw new Error('Braintree tells no balance');
    },
  };
};

const refusedOutcome = refusalsBy('braintree');

/** The object that a mutation returns, at `field` of its payload; or the outcome of its failure. */
const mutate = async (
  { credentials }: Braintree,
  document: DocumentName,
  { input, kind, field }: { input: Readonly<Record<string, unknown>>; kind: OperationKind; field: string },
): Promise<{ made: unknown } | KeylessFailure> => {
  const reply: BraintreeAnswer = await askBraintree(credentials, { document, variables: { input }, kind });
  return 'outcome' in reply ? reply : { made: toNode(reply.data[document])[field] };
};

const unreadable: ProcessorResult = { outcome: 'UNKNOWN', detail: 'braintree answered nothing that can be read' };

const pay = async (braintree: Braintree, command: PayCommand): Promise<ProcessorResult> => {
  const merchantAccountId = braintree.credentials.merchant_accounts[command.money.currency];
  if (merchantAccountId === undefined)
    return refusedOutcome('currency_not_supported', 'no merchant account of that currency');
  const input = tokenInput(command);
  const token = await mutate(braintree, 'tokenizeCreditCard', { input, kind: 'pay', field: 'paymentMethod' });
  // Tokenizing a card charges nothing: whatever became of that request, nothing was paid.
  if ('outcome' in token) {
    return token.outcome === 'UNKNOWN' ? refusedOutcome('processor_unavailable', 'the card was not taken') : token;
  }
  const { id } = toNode(token.made);
  if (typeof id !== 'string') return refusedOutcome('processor_unavailable', 'the card was not taken');
  const document = command.capture ? 'chargeCreditCard' : 'authorizeCreditCard';
  const reply = await mutate(braintree, document, {
    input: paymentInput(command, { paymentMethodId: id, merchantAccountId }),
    kind: 'pay',
    field: 'transaction',
  });
  if ('outcome' in reply) return reply;
  const transaction = readTransaction(reply.made);
  return transaction ? undoOtherCurrency(braintree, command, transaction) : unreadable;
};

/**
 * The currency is the merchant account's: if the site's table names an account of another currency, the cardholder was charged
 * a wrong amount. That is undone at once.
 */
const undoOtherCurrency = async (
  braintree: Braintree,
  { money }: PayCommand,
  transaction: BraintreeTransaction,
): Promise<ProcessorResult> => {
  const outcome = asOutcome(outcomeOfTransaction(transaction));
  if (outcome.outcome !== 'OK' || transaction.currency === money.currency) return outcome;
  const undone = await reverse(braintree, transaction.id);
  const detail = `braintree: the merchant account is of ${transaction.currency}`;
  return undone.outcome === 'OK'
    ? { outcome: 'EXC', code: 'currency_not_supported', reference: transaction.id, detail }
    : { outcome: 'UNKNOWN', detail };
};

const asOutcome = (found: QueryOutcome): ProcessorResult => (found.outcome === 'NOT_FOUND' ? unreadable : found);

/** Voids a payment, or refunds it whole if it has settled meanwhile. */
const reverse = async (braintree: Braintree, reference: string, known?: string): Promise<ProcessorResult> => {
  const id = known ?? (await readNode(braintree.credentials, reference, 'TRANSACTION'));
  if (typeof id === 'object' && 'outcome' in id) return asUnasked(id);
  const transactionId = typeof id === 'string' ? id : id.id;
  const reply = await mutate(braintree, 'reverseTransaction', {
    input: { transactionId },
    kind: 'void',
    field: 'reversal',
  });
  if ('outcome' in reply) return reply;
  const made = readBraintreeRefund(reply.made);
  if (!made) return unreadable;
  return toNode(reply.made)['__typename'] === 'Refund'
    ? asOutcome(outcomeOfBraintreeRefund(made))
    : { outcome: 'OK', reference: made.id };
};

const capture = async (braintree: Braintree, command: FollowUpCommand): Promise<ProcessorResult> => {
  const read = await readPayment(braintree.credentials, command.reference);
  if ('outcome' in read) return asUnasked(read);
  if (read.payment.status !== 'AUTHORIZED') return refusedOutcome('capture_failed', read.payment.status);
  const input = captureInput(command, read.id);
  const reply = await mutate(braintree, 'captureTransaction', { input, kind: 'capture', field: 'transaction' });
  if ('outcome' in reply) return reply;
  const transaction = readTransaction(reply.made);
  return asOutcome((transaction && outcomeOfEnd(transaction, 'capture')) ?? unreadable);
};

/** Only a payment that is not captured: reversing a settled one would be a refund. */
const cancel = async (braintree: Braintree, command: FollowUpCommand): Promise<ProcessorResult> => {
  const read = await readPayment(braintree.credentials, command.reference);
  if ('outcome' in read) return asUnasked(read);
  if (read.payment.status !== 'AUTHORIZED') return refusedOutcome('void_failed', read.payment.status);
  return reverse(braintree, command.reference, read.id);
};

/** Before settlement only the whole can be given back, by a void; from then on any part, by a refund. */
const refund = async (braintree: Braintree, command: FollowUpCommand): Promise<ProcessorResult> => {
  const { money, reference } = command;
  const read = await readPayment(braintree.credentials, reference);
  if ('outcome' in read) return asUnasked(read);
  const { payment, id } = read;
  if (!isCaptured(payment)) return refusedOutcome('refund_failed', payment.status);
  if (!isBraintreeRefundSettled(payment)) {
    const isWhole = money.minor === payment.minor && braintreeRefundedOf(payment) === 0n;
    return isWhole ? reverse(braintree, reference, id) : refusedOutcome('refund_failed', 'it has not settled yet');
  }
  const reply = await mutate(braintree, 'refundTransaction', {
    input: refundInput(command, id),
    kind: 'refund',
    field: 'refund',
  });
  if ('outcome' in reply) return reply;
  const made = readBraintreeRefund(reply.made);
  return made ? asOutcome(outcomeOfBraintreeRefund(made)) : unreadable;
};

const askPayment = async (braintree: Braintree, query: Query): Promise<QueryOutcome> => {
  const { kind, reference, paymentReference } = query;
  if (kind === 'payout') return { outcome: 'EXC', code: 'operation_not_supported', reference };
  if (kind === 'pay') return ofPayment(braintree, query);
  if (kind === 'refund') return reference === paymentReference ? ofVoid(braintree, query) : ofRefund(braintree, query);
  const payment = paymentReference ?? reference;
  if (payment === null) return paymentUnknown;
  const read = await readPayment(braintree.credentials, payment);
  if ('outcome' in read) return notAsked(read);
  const outcome = outcomeOfEnd(read.payment, kind) ?? absent('braintree', query);
  if (outcome.outcome === 'NOT_FOUND') await releaseEnd(braintree.claims, kind, payment, query.idempotencyKey);
  return outcome;
};

const ofPayment = async (braintree: Braintree, query: Query): Promise<QueryOutcome> => {
  if (query.reference !== null) {
    const read = await readPayment(braintree.credentials, query.reference);
    return 'outcome' in read ? notAsked(read) : outcomeOfTransaction(read.payment);
  }
  const input = { orderId: { is: merchantReferenceOf(query) } };
  const found = await searchBraintree(braintree.credentials, { document: 'transactions', input });
  if ('unasked' in found) return { outcome: 'UNKNOWN', detail: found.unasked };
  const outcomes = found.nodes.flatMap((node) => readTransaction(node) ?? []).map(outcomeOfTransaction);
  return pickBest(outcomes) ?? absent('braintree', query);
};

const ofRefund = async (braintree: Braintree, query: Query): Promise<QueryOutcome> => {
  if (query.reference !== null) {
    const read = await readNode(braintree.credentials, query.reference, 'REFUND');
    if ('outcome' in read) return notAsked(read);
    const refund = readBraintreeRefund(read.node);
    return refund ? outcomeOfBraintreeRefund(refund) : { outcome: 'UNKNOWN', detail: 'braintree has something else' };
  }
  const input = { orderId: { is: merchantReferenceOf(query) } };
  const found = await searchBraintree(braintree.credentials, { document: 'refunds', input });
  if ('unasked' in found) return { outcome: 'UNKNOWN', detail: found.unasked };
  const [refund] = found.nodes.flatMap((node) => readBraintreeRefund(node) ?? []);
  return refund ? outcomeOfBraintreeRefund(refund) : ofVoid(braintree, query);
};

/** A refund made by a reversal does not carry our reference: it shows in the payment, voided or refunded whole. */
const ofVoid = async (braintree: Braintree, query: Query): Promise<QueryOutcome> => {
  if (query.paymentReference === null) return paymentUnknown;
  const read = await readPayment(braintree.credentials, query.paymentReference);
  if ('outcome' in read) return notAsked(read);
  return wasReversedSince(read.payment, query.startedAt)
    ? { outcome: 'OK', reference: read.payment.id }
    : absent('braintree', query);
};

export const braintreeProcessorOf: ProcessorOf = (route, context) =>
  braintreeProcessor(openCredentials('braintree', route, context), openClaims(route, context));
