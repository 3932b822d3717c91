import type { RefundAnswer } from '../alerts/answer/refund-answer.ts';
import type { GatewayTransaction } from '../alerts/automatic/gateway-transaction.ts';
import type { RefundOrder, RefundState } from '../connections/gateway.ts';
import { iso, milliseconds } from '../core/clock.ts';
import { type Money, parseAmount } from '../core/money.ts';
import type { ProviderAlert } from '../providers/providers.ts';
import { nextCheck } from '../transactions/transaction.ts';

/**
 * A refund at a merchant's own processor, for an alert: one row from before anybody there is asked until it is known what became
 * of it. Pure. Processors without idempotency keys refund twice what is asked for twice, so that only who has the row's lease
 * asks, and what may have been asked for is asked about before it is asked for again.
 */
export const refundStates = ['reserved', 'asked', 'unknown', 'done', 'failed'] as const;

export type AlertRefund = {
  alertId: number;
  /** Which of the alert's refunds it is, from 1: the next begins when the one before has surely failed. */
  number: number;
  sid: number;
  mid: number;
  /** The connection, and what its processor calls the charge. */
  connection: string;
  reference: string;
  charge: GatewayTransaction;
  /** Canonical decimals of the currency of the charge. */
  amount: string;
  currency: string;
  /** Whether the charge has settled; what has not is voided. */
  isSettled: boolean;
  reason: RefundOrder['reason'];
  /** How the alert is answered once it is done; null: it is left open. */
  answer: RefundAnswer | null;
  by: string;
  /** ISO; what was done at the processor before is another's. */
  begunAt: string;
  /**
   * reserved: nobody was asked, or what was asked for surely never arrived. asked: the processor is being asked, or has it and
   * is not done. unknown: its answer was lost. done and failed are final.
   */
  state: (typeof refundStates)[number];
  lease: { attemptId: string; until: string } | null;
  /** How often the processor was asked for it, and when last. */
  tries: number;
  askedAt: string | null;
  /** When somebody looks at it next (ISO); null exactly when it is final. */
  nextCheckAt: string | null;
  checks: number;
  /** As the processor has it. */
  refund: GatewayTransaction | null;
  /** Why it failed, or is not known, as known last. */
  error: string | null;
  /** Goes up with every write. */
  version: number;
};

/** Why, in the words of alerts. */
export const refundReasonOf = ({ type }: Pick<ProviderAlert, 'type'>): RefundOrder['reason'] =>
  type === 'FRAUD' ? 'fraud' : type === 'CANCEL' ? 'cancel' : 'dispute';

/** Longer than a function that asks may run, shorter than its queue keeps a message from others. */
const leaseMilliseconds = 75 * milliseconds.second;
/** How long what was asked for may still arrive: requests end after ten seconds, and reports lag. */
const arrivalMilliseconds = 5 * milliseconds.minute;
const maxAttempts = 3;

const after = (at: string, span: number): string => iso(Date.parse(at) + span);

export type NewRefund = Pick<
  AlertRefund,
  | 'alertId'
  | 'sid'
  | 'mid'
  | 'connection'
  | 'reference'
  | 'charge'
  | 'amount'
  | 'currency'
  | 'isSettled'
  | 'reason'
  | 'answer'
  | 'by'
>;

/** A refund that is to be asked for; `before`: the one that failed before it. `at`: ISO. */
export const reserved = (wanted: NewRefund, before: AlertRefund | undefined, at: string): AlertRefund => ({
  ...wanted,
  number: (before?.number ?? 0) + 1,
  begunAt: at,
  state: 'reserved',
  lease: null,
  tries: 0,
  askedAt: null,
  // The one that reserves it asks at once; others only if that one is gone.
  nextCheckAt: after(at, leaseMilliseconds),
  checks: 0,
  refund: null,
  error: null,
  version: (before?.version ?? 0) + 1,
});

export const isFinal = ({ state }: Pick<AlertRefund, 'state'>): boolean => state === 'done' || state === 'failed';

/** Whether somebody is at it now. */
export const isLeased = ({ lease }: AlertRefund, at: string): boolean => lease !== null && lease.until > at;

/** The refund while somebody asks: for it if nobody has, else about it. */
export const claimed = (refund: AlertRefund, attemptId: string, at: string): AlertRefund => {
  const isFirst = refund.state === 'reserved';
  const until = after(at, leaseMilliseconds);
  return {
    ...refund,
    ...(isFirst && { state: 'asked', tries: refund.tries + 1, askedAt: at }),
    lease: { attemptId, until },
    nextCheckAt: until,
    version: refund.version + 1,
  };
};

/** What a processor is asked with. The key is the refund's own: the same for every try of it. */
export const orderOf = (refund: AlertRefund): RefundOrder => {
  const { alertId, number, reference, begunAt, reason } = refund;
  return { reference, money: moneyOf(refund), key: `fw-alert-${alertId}-${number}`, begunAt, reason, alertId };
};

/** Throws if the row does not hold what it is written with. */
export const moneyOf = ({ alertId, amount, currency }: AlertRefund): Money => {
  const money = parseAmount(amount, currency);
  if (typeof money === 'string') throw new Error(`The amount of the refund of alert ${alertId} ${money}`);
  return money;
};

const refundType = ({ isSettled }: AlertRefund): string => (isSettled ? 'refund' : 'void');

const asShown = (refund: AlertRefund, reference: string | null, at: string): GatewayTransaction => ({
  payment_gateway_reference: reference ?? '',
  payment_gateway_reference2: refund.reference,
  payment_gateway_tx_type: refundType(refund),
  payment_gateway_transaction_date: at,
});

/** The refund, which is claimed, after what a processor answered. What is final stays. `at`: ISO. */
export const afterAnswer = (refund: AlertRefund, answer: RefundState, at: string): AlertRefund => {
  if (isFinal(refund)) return refund;
  const known: AlertRefund = { ...refund, lease: null, version: refund.version + 1 };
  const checked = { ...known, checks: refund.checks + 1 };
  const next = nextCheck({ checks: refund.checks, createdAt: refund.begunAt }, at);
  switch (answer.outcome) {
    case 'OK':
      return { ...known, state: 'done', nextCheckAt: null, refund: asShown(refund, answer.reference, at), error: null };
    case 'EXC':
      return { ...known, state: 'failed', nextCheckAt: null, error: answer.code };
    case 'PEND':
      return { ...checked, state: 'asked', nextCheckAt: next, refund: asShown(refund, answer.reference, at) };
    case 'UNKNOWN':
      return { ...checked, state: 'unknown', nextCheckAt: next, error: answer.detail };
    case 'NOT_FOUND':
      return afterMiss(checked, at);
  }
};

/** What is not found may still arrive; after that it is asked for again, and given up at last. */
const afterMiss = (refund: AlertRefund, at: string): AlertRefund => {
  const arrives = after(refund.askedAt ?? refund.begunAt, arrivalMilliseconds);
  const error = 'The processor does not have it';
  if (at < arrives) return { ...refund, state: 'unknown', nextCheckAt: arrives, error };
  if (refund.tries < maxAttempts) return { ...refund, state: 'reserved', nextCheckAt: at, error };
  return { ...refund, state: 'failed', nextCheckAt: null, error: 'not_found_at_processor' };
};

/** One that counted as done, after its processor told that the bank has refused it after all. */
export const failedLate = (refund: AlertRefund, why: string): AlertRefund => ({
  ...refund,
  state: 'failed',
  error: why,
  version: refund.version + 1,
});
