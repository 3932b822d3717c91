import type { KeptCard } from '#core/kernel/card/card.ts';
import { iso, milliseconds } from '#core/kernel/clock.ts';
import { randomText } from '#core/kernel/ids.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import type { OrderMark } from '#payments/orders/payment-order-row.ts';
import { fromKeptMoney, type KeptMoney } from '#payments/payments/kept-money.ts';
import { signVrfy } from '#payments/payments/order/hashes.ts';
import type { ThreeDsResult } from '#payments/payments/three-ds.ts';
import type { Conversion } from '#payments/pricing/rates/conversion.ts';
import { type DeclineCode, declineCodes } from '#payments/processors/decline-codes.ts';
import type { RefusedField } from '#payments/processors/payer-forms.ts';
import type { FirstPayment, NextAction, OperationKind, QueryOutcome } from '#payments/processors/ports/processor.ts';
import { capturesLater, type ProcessorName } from '#payments/processors/ports/processors.ts';

export const txActions = ['PAYMENT', 'PREAUTH', 'CAPTURE', 'REFUND', 'VOID', 'PAYOUT'] as const;
export type TxAction = (typeof txActions)[number];

/**
 * OK and EXC are final; PEND continues by itself, by the payer, or is not known yet. A refund that is OK, or a capture, may still be
 * returned: see afterReversal.
 */
export const txStatuses = ['PEND', 'OK', 'EXC'] as const;
type TxStatus = (typeof txStatuses)[number];
/**
 * The stored facts of the authentication with which a payment was made: `verified` took place here, `merchant` is the merchant's statement.
 */
export type AuthenticationMade = {
  source: ThreeDsResult['source'];
  transStatus: string | null;
  eci: string | null;
  /** For one that took place here: its number, its result, and whether the issuer is expected to bear fraud. */
  own: { id: number; outcome: string; liabilityShift: boolean } | null;
};

/** The answer to an alert once its refund is done; stored with the refund, whose result may be known only days later. */
export type RefundAnswer = {
  alertId: number;
  /** The alert's site, which says whether status updates are wanted. */
  sid: number;
  /** The person who asked for the refund. */
  by: string;
  /** True if the refund is less than the disputed amount. */
  isPart: boolean;
  /** Absent: the code for a full or a partial refund. */
  reasonCode?: string;
  comments?: string;
  /** For colleagues; not sent to the network. */
  notes?: string;
};

/** One operation: a payment, or something done to one. */
export type Transaction = {
  txid: number;
  /** Its own for a payment, a PREAUTH and a PAYOUT. */
  parentTxid: number;
  sid: number;
  mid: number;
  rid: number;
  action: TxAction;
  status: TxStatus;
  money: KeptMoney;
  tid: string | null;
  reference: string | null;
  refs: readonly [string | null, string | null, string | null, string | null];
  descriptor: string | null;
  processor: ProcessorName | null;
  /** Which of the site's routes it took: its credentials are asked for refunds too, when routes have changed since. */
  routeId: string | null;
  /** The processor's identifier of this operation. */
  processorReference: string | null;
  idempotencyKey: string;
  arn: string | null;
  authCode: string | null;
  /** The card network's transaction id, if the processor returned one. */
  networkReference?: string;
  /** The card was sent to the processor as one that is charged again; absent: it was not. */
  storesCard?: true;
  /** The payment that this one repeats without the cardholder; absent for all others. */
  firstPayment?: FirstPayment;
  error: { code: DeclineCode; message: string } | null;
  nextAction: NextAction | null;
  card: KeptCard | null;
  /** The payer's, to which lists of their transactions may be mailed. */
  email: string | null;
  postbackUrl: string | null;
  /** Where the payer goes from our pages once it is final. */
  returnUrl?: string;
  conversion: Conversion | null;
  fraud: { fraudId: number; score: number; decision: 'ACCEPT' | 'REVIEW' | '3DS' | 'REJECT' } | null;
  /** Absent if the payer was not authenticated. */
  threeDs?: AuthenticationMade;
  /** The alert that a refund answers; null for all else. */
  alertId: number | null;
  /** The answer to the alert once the refund is done; absent if another process answers it. */
  answer?: RefundAnswer;
  /** The user or the rule that asked for a refund or a void. Absent if the site itself did, by its rcode. */
  by?: string;
  /** The site's people who are notified of a successful payment; absent if there are none. `first`: of the site's first one. */
  told?: { payments: readonly string[]; first: readonly string[] };
  /** By what its payment's order is found; absent where the merchant keeps none. */
  order?: OrderMark;
  /** The time at which the processor is asked again, ISO; null once the status is final. */
  nextCheckAt: string | null;
  checks: number;
  createdAt: string;
  updatedAt: string;
  version: number;
};

/** Checks whether nothing can change any more. */
export const isTransactionFinal = ({ status }: Pick<Transaction, 'status'>): boolean => status !== 'PEND';

const { minute, hour, day } = milliseconds;
/** The delay between a check and the next; the last repeats until the processor knows. */
const checkDelays = [minute, minute, 3 * minute, 10 * minute, 30 * minute, hour] as const;
/** An operation that hangs for days is looked at less often, and still is never given up: the money is somewhere. */
const patience = 3 * day;

/** A payer who stays away has an hour at every processor; the check right after it ends such a payment. */
const abandonedAfter = hour + 10 * milliseconds.second;

/** When a pending transaction is looked at next, after so many checks. `at`: ISO, now. */
export const nextCheck = ({ checks, createdAt }: Pick<Transaction, 'checks' | 'createdAt'>, at: string): string => {
  const [now, abandoned] = [Date.parse(at), Date.parse(createdAt) + abandonedAfter];
  const isOld = now - Date.parse(createdAt) > patience;
  const delay = isOld ? day : (checkDelays[Math.min(checks, checkDelays.length - 1)] ?? hour);
  return iso(now < abandoned && now + delay > abandoned ? abandoned : now + delay);
};

/** The time until which no other process asks the processor about a new operation: longer than a function may run. */
export const firstCheck = (at: string): string => iso(Date.parse(at) + minute);

/**
 * Sent to the processor with every try: one operation, one key. The random part tells two operations apart that drew the
 * same number in the same millisecond, of which only one is written.
 */
export const newIdempotencyKey = (txid: number): string => `fw-${txid}-${randomText(8)}`;

/** Another key for every answer of a payer, so that each code that is tried counts. */
export const newAttemptKey = (txid: number): string => `fw-${txid}-auth-${randomText(12)}`;

/** The transaction refused before a processor was asked. */
export const refusedTransaction = (transaction: Transaction, code: DeclineCode): Transaction =>
  failTransaction(transaction, code, null);

/** `field`: the one of the merchant's call that the processor refused. */
const failTransaction = (
  transaction: Transaction,
  code: DeclineCode,
  reference: string | null,
  field?: RefusedField,
): Transaction => ({
  ...transaction,
  status: 'EXC',
  error: { code, message: `${declineCodes[code].msg}${field ? `: ${field}` : ''}` },
  processorReference: reference ?? transaction.processorReference,
  nextAction: null,
  nextCheckAt: null,
});

/**
 * The transaction after what a processor answered. PEND goes to any status, OK and EXC stay what they are: whatever comes
 * late or twice changes nothing. An answer that tells nothing leaves it pending, to be asked for again. `at`: ISO.
 */
export const afterOutcome = (transaction: Transaction, outcome: QueryOutcome, at: string): Transaction => {
  if (isTransactionFinal(transaction)) return transaction;
  const checked = { ...transaction, updatedAt: at };
  switch (outcome.outcome) {
    case 'OK':
      return {
        ...checked,
        status: 'OK',
        processorReference: outcome.reference,
        arn: outcome.arn ?? transaction.arn,
        authCode: outcome.authCode ?? transaction.authCode,
        ...(outcome.networkReference && { networkReference: outcome.networkReference }),
        nextAction: null,
        nextCheckAt: null,
      };
    case 'EXC':
      return failTransaction(checked, outcome.code, outcome.reference, outcome.field);
    case 'NOT_FOUND':
      return failTransaction(checked, 'not_found_at_processor', null);
    case 'PEND':
      return {
        ...checked,
        processorReference: outcome.reference,
        nextAction: nextActionAfter(outcome.nextAction, transaction.nextAction),
        checks: transaction.checks + 1,
        nextCheckAt: nextCheck(transaction, at),
      };
    case 'UNKNOWN':
      return { ...checked, checks: transaction.checks + 1, nextCheckAt: nextCheck(transaction, at) };
  }
};

/** Checks whether a final transaction may still fail: banks return refunds and refuse captures days later, and authorisations lapse. */
export const mayComeBack = ({
  status,
  action,
  processor,
}: Pick<Transaction, 'status' | 'action' | 'processor'>): boolean =>
  status === 'OK' &&
  (action === 'REFUND' ||
    action === 'CAPTURE' ||
    action === 'PREAUTH' ||
    (action === 'PAYMENT' && processor !== null && capturesLater(processor)));

/** A refund, a capture or a payment that had been done, once the processor says that it came to nothing. `at`: ISO. */
export const afterReversal = (transaction: Transaction, code: DeclineCode, at: string): Transaction =>
  failTransaction({ ...transaction, updatedAt: at }, code, null);

/** Checks whether a processor may still report as done what it reported as failed: Adyen repeats captures and refunds. */
export const mayBeRepeated = ({ status, action, error }: Pick<Transaction, 'status' | 'action' | 'error'>): boolean =>
  status === 'EXC' &&
  (action === 'REFUND' ? error?.code === 'refund_failed' : action !== 'VOID' && error?.code === 'capture_failed');

/** A failed refund, capture or payment that was done after all. `reference`: the processor's of what was done. `at`: ISO. */
export const afterRepeat = (transaction: Transaction, reference: string, at: string): Transaction => ({
  ...transaction,
  status: 'OK',
  error: null,
  processorReference: reference,
  updatedAt: at,
});

/** Checks whether a final status contradicts what the processor answers now. */
export const contradicts = ({ status }: Pick<Transaction, 'status'>, { outcome }: QueryOutcome): boolean =>
  (status === 'EXC' && outcome === 'OK') || (status === 'OK' && (outcome === 'EXC' || outcome === 'NOT_FOUND'));

/** The page that takes a code stays the same for the next try. */
const nextActionAfter = (next: NextAction | null | undefined, before: NextAction | null): NextAction | null => {
  if (next === undefined) return before;
  return next?.type === 'otp' && before?.type === 'otp' ? { ...before, ...next } : next;
};

/** Which call of the port an action is: a query has to say it. */
export const operationKindOf = (action: TxAction): OperationKind => {
  switch (action) {
    case 'PAYMENT':
    case 'PREAUTH':
      return 'pay';
    case 'CAPTURE':
      return 'capture';
    case 'VOID':
      return 'void';
    case 'REFUND':
      return 'refund';
    case 'PAYOUT':
      return 'payout';
  }
};

/** Returns a transaction as its merchant sees it: interface §2.3. Without `vrfy`, which takes the site's rcode. */
export const toResult = (transaction: Transaction) => ({
  sid: transaction.sid,
  tid: transaction.tid ?? '',
  txid: transaction.txid,
  parent_txid: transaction.parentTxid,
  status: transaction.status,
  tx_action: transaction.action,
  amount: Number(formatAmount(fromKeptMoney(transaction.money))),
  amount_text: formatAmount(fromKeptMoney(transaction.money)),
  currency: transaction.money.currency,
  reference: transaction.reference ?? '',
  ref1: transaction.refs[0] ?? '',
  ref2: transaction.refs[1] ?? '',
  ref3: transaction.refs[2] ?? '',
  ref4: transaction.refs[3] ?? '',
  ...(transaction.error && { error_code: transaction.error.code, error_msg: transaction.error.message }),
  ...(transaction.nextAction && { next_action: transaction.nextAction }),
  ...(transaction.conversion && toConversionDto(transaction.conversion)),
  ...(transaction.fraud && { fraud: toFraudDto(transaction.fraud) }),
  ...(transaction.threeDs && { three_ds: toThreeDsDto(transaction.threeDs) }),
});

const toConversionDto = ({ original, rate }: Conversion) => ({
  original_amount: Number(formatAmount(fromKeptMoney(original))),
  original_currency: original.currency,
  fxrate: Number(rate),
});

const toFraudDto = ({ fraudId, score, decision }: NonNullable<Transaction['fraud']>) => ({
  fraud_id: fraudId,
  score,
  decision,
});

const toThreeDsDto = ({ source, transStatus, eci, own }: AuthenticationMade) => ({
  source,
  transStatus,
  eci,
  ...(own && { authentication_id: own.id, outcome: own.outcome, liability_shift: own.liabilityShift }),
});

/** The whole result object. `rcode`: the one the merchant verifies it with. */
export const verifiedResult = (transaction: Transaction, rcode: string) => {
  const result = toResult(transaction);
  const { txid, status, currency, tx_action, amount_text: amount } = result;
  return { ...result, vrfy: signVrfy(transaction.sid, rcode, { txid, status, amount, currency, tx_action }) };
};
