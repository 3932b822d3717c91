import { nowMilliseconds } from '#core/kernel/clock.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
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
import type {
  FollowUpCommand,
  OperationKind,
  PayCommand,
  Processor,
  ProcessorResult,
  Query,
  QueryOutcome,
} from '../ports/processor.ts';
import { type NmiReply, nmiRefusalResult } from './nmi-codes.ts';
import { nmiCurrency } from './nmi-currencies.ts';
import { type NmiCredentials, queryNmi, transactAtNmi } from './nmi-exchange-client.ts';
import { nmiPayment } from './nmi-requests.ts';
import {
  type NmiTransaction,
  nmiCaptured,
  nmiRefundedOf,
  outcomeOfNmi,
  outcomeOfNmiFollowUp,
  wasVoidedSince,
} from './nmi-transaction.ts';
import { readNmiWebhook } from './nmi-webhook.ts';

export type { NmiCredentials } from './nmi-exchange-client.ts';

type Nmi = { credentials: NmiCredentials; claims: ProcessorClaims };

export const nmiProcessor = (credentials: NmiCredentials, claims: ProcessorClaims): Processor => {
  const nmi: Nmi = { credentials, claims };
  return {
    name: 'nmi',
    ...keylessProcessor({
      name: 'nmi',
      claims,
      currencyOf: nmiCurrency,
      pay: (command) => pay(nmi, command),
      capture: (command) => capture(nmi, command),
      void: (command) => cancel(nmi, command),
      refund: (command) => refund(nmi, command),
      answer: (query) => askAboutNmi(nmi, query),
    }),
    readWebhook: async (call) => readNmiWebhook(credentials.webhook_key, call),
    balance: async () => {
      throw new Error('NMI tells no balance: the money is with the bank behind it');
    },
  };
};

const refusedOutcome = refusalsBy('nmi');

/** Returns the outcome of an answer of transact.php. */
const toOutcome = (
  reply: NmiReply | KeylessFailure,
  kind: OperationKind,
  ok: (reply: NmiReply) => Extract<ProcessorResult, { outcome: 'OK' }>,
): Extract<ProcessorResult, { outcome: 'OK' | 'EXC' | 'UNKNOWN' }> => {
  if ('outcome' in reply) return reply;
  return reply.response === '1' ? ok(reply) : nmiRefusalResult(reply, kind);
};

const pay = async ({ credentials }: Nmi, command: PayCommand): Promise<ProcessorResult> =>
  toOutcome(await transactAtNmi(credentials, nmiPayment(command)), 'pay', ({ transactionId: reference, authCode }) => ({
    outcome: 'OK',
    reference,
    ...(authCode && { authCode }),
  }));

const capture = async (
  { credentials }: Nmi,
  { reference, money }: Pick<FollowUpCommand, 'reference' | 'money'>,
): Promise<ProcessorResult> =>
  toOutcome(
    await transactAtNmi(credentials, { type: 'capture', transactionid: reference, amount: formatAmount(money) }),
    'capture',
    () => ({ outcome: 'OK', reference }),
  );

/** Only a payment that is not captured: one that is about to settle is refunded, by a void or otherwise. */
const cancel = async (nmi: Nmi, command: FollowUpCommand): Promise<ProcessorResult> => {
  const payment = await readNmi(nmi, command.reference);
  if ('outcome' in payment) return asUnasked(payment);
  if (payment.condition !== 'pending') return refusedOutcome('void_failed', payment.condition);
  return voidPayment(nmi, payment, 'void');
};

const voidPayment = async ({ credentials }: Nmi, { id: reference }: NmiTransaction, kind: 'void' | 'refund') =>
  toOutcome(await transactAtNmi(credentials, { type: 'void', transactionid: reference }), kind, () => ({
    outcome: 'OK',
    reference,
  }));

/** A payment as NMI has it, or why it is not known. */
const readNmi = async ({ credentials }: Nmi, reference: string): Promise<NmiTransaction | KeylessFailure> => {
  if (!/^\d{1,20}$/.test(reference)) return refusedOutcome('not_found_at_processor', 'no such reference');
  const found = await queryNmi(credentials, { transaction_id: reference });
  if ('unasked' in found) return { outcome: 'UNKNOWN', detail: found.unasked };
  return (
    found.transactions.find(({ id }) => id === reference) ??
    refusedOutcome('not_found_at_processor', 'no such transaction')
  );
};

/** Before settlement the whole amount is voided, which costs nothing and shows on no statement; anything else is a refund. */
const refund = async (nmi: Nmi, command: FollowUpCommand): Promise<ProcessorResult> => {
  const { money, reference } = command;
  const payment = await readNmi(nmi, reference);
  if ('outcome' in payment) return asUnasked(payment);
  const captured = nmiCaptured(payment);
  if (payment.condition === 'pending' || captured === 0n) return refusedOutcome('refund_failed', payment.condition);
  if (payment.condition === 'pendingsettlement' && money.minor === captured && nmiRefundedOf(payment) === 0n) {
    return voidPayment(nmi, payment, 'refund');
  }
  const fields = {
    type: 'refund',
    transactionid: reference,
    amount: formatAmount(money),
    orderid: merchantReferenceOf(command),
  };
  return toOutcome(await transactAtNmi(nmi.credentials, fields), 'refund', ({ transactionId }) => ({
    outcome: 'OK',
    reference: transactionId,
  }));
};

const askAboutNmi = async (nmi: Nmi, query: Query): Promise<QueryOutcome> => {
  const { kind, reference, paymentReference } = query;
  if (kind === 'payout') return { outcome: 'EXC', code: 'operation_not_supported', reference };
  if (kind === 'pay' || (kind === 'refund' && reference !== paymentReference)) {
    const asked = reference ? { transaction_id: reference } : { order_id: merchantReferenceOf(query) };
    const found = await queryNmi(nmi.credentials, asked);
    if ('unasked' in found) return { outcome: 'UNKNOWN', detail: found.unasked };
    const outcomes = found.transactions.map((one) => outcomeOfNmi(one, kind, nowMilliseconds()));
    const told = pickBest(outcomes);
    if (told) return told;
    return kind === 'pay' ? absent('nmi', query) : ofVoid(nmi, query);
  }
  return kind === 'refund' ? ofVoid(nmi, query) : ofEnd(nmi, query, kind);
};

/** A refund that was a void has no transaction of its own: it shows in the payment. */
const ofVoid = async (nmi: Nmi, query: Query): Promise<QueryOutcome> => {
  if (query.paymentReference === null) return paymentUnknown;
  const payment = await readNmi(nmi, query.paymentReference);
  if ('outcome' in payment) return notAsked(payment);
  return wasVoidedSince(payment, query.startedAt) ? { outcome: 'OK', reference: payment.id } : absent('nmi', query);
};

const ofEnd = async (nmi: Nmi, query: Query, kind: 'capture' | 'void'): Promise<QueryOutcome> => {
  const reference = query.paymentReference ?? query.reference;
  if (reference === null) return paymentUnknown;
  const payment = await readNmi(nmi, reference);
  if ('outcome' in payment) return notAsked(payment);
  const outcome = outcomeOfNmiFollowUp(payment, kind) ?? absent('nmi', query);
  // It surely failed, so the other may be done.
  if (outcome.outcome === 'NOT_FOUND') await releaseEnd(nmi.claims, kind, reference, query.idempotencyKey);
  return outcome;
};

export const nmiProcessorOf: ProcessorOf = (route, context) =>
  nmiProcessor(openCredentials('nmi', route, context), openClaims(route, context));
