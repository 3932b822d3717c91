import { iso, milliseconds } from '#core/kernel/clock.ts';
import { type Money, parseAmount } from '#core/kernel/money/money.ts';
import type { GatewayTransaction } from '#disputes/alerts/automatic/gateway-transaction.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';
import type { ChargeRefundRequest, RefundState } from '#payments/processors/ports/connected-processor.ts';
import type { RefundAnswer } from '#payments/transactions/transaction/transaction.ts';
import { nextCheck } from '#payments/transactions/transaction/transaction.ts';

/**
 * A refund at a merchant's own processor, for an alert: one row from before the processor is asked until its result is
 * known. Pure. Processors without idempotency keys refund twice if asked twice, so only the holder of the row's lease
 * asks, and before a refund that may have been requested is requested again, the processor is asked about it.
 */
export const refundStates = ['reserved', 'asked', 'unknown', 'done', 'failed'] as const;

export type AlertRefund = {
  alertId: number;
  /** Which of the alert's refunds it is, from 1: the next begins when the previous one has surely failed. */
  number: number;
  sid: number;
  mid: number;
  /** The connection, and its processor's reference of the charge. */
  connection: string;
  reference: string;
  charge: GatewayTransaction;
  /** Canonical decimals of the currency of the charge. */
  amount: string;
  currency: string;
  /** True if the charge has settled; an unsettled one is voided. */
  isSettled: boolean;
  reason: ChargeRefundRequest['reason'];
  /** The answer to the alert once it is done; null: it is left open. */
  answer: RefundAnswer | null;
  by: string;
  /** ISO; anything done at the processor before that is another refund's. */
  begunAt: string;
  /**
   * reserved: the processor was not asked, or the request surely never arrived. asked: the processor is being asked, or has it and
   * is not done. unknown: its answer was lost. done and failed are final.
   */
  state: (typeof refundStates)[number];
  lease: { attemptId: string; until: string } | null;
  /** The number of times the processor was asked for it, and the last time. */
  tries: number;
  askedAt: string | null;
  /** When it is checked next (ISO); null exactly when it is final. */
  nextCheckAt: string | null;
  checks: number;
  /** The refund as the processor has it. */
  refund: GatewayTransaction | null;
  /** The processor's references of the alert's earlier refunds there. Absent: there are none. */
  failed?: readonly string[];
  /** The latest reason why it failed or is not known. */
  error: string | null;
  /** Goes up with every write. */
  version: number;
};

/** The reason, as alerts name it. */
export const refundReasonOf = ({ type }: Pick<ProviderAlert, 'type'>): ChargeRefundRequest['reason'] =>
  type === 'FRAUD' ? 'fraud' : type === 'CANCEL' ? 'cancel' : 'dispute';

/** Longer than a function that asks may run, shorter than its queue's visibility timeout. */
const leaseMilliseconds = 75 * milliseconds.second;
/** The time within which a request may still arrive: requests end after ten seconds, and reports lag. */
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

/** A refund to be requested; `before`: the one that failed before it. `at`: ISO. */
export const newAlertRefund = (wanted: NewRefund, before: AlertRefund | undefined, at: string): AlertRefund => ({
  ...wanted,
  number: (before?.number ?? 0) + 1,
  begunAt: at,
  state: 'reserved',
  lease: null,
  tries: 0,
  askedAt: null,
  // The call that reserves it asks at once; others only if that call is gone.
  nextCheckAt: after(at, leaseMilliseconds),
  checks: 0,
  refund: null,
  ...failedBefore(wanted, before),
  error: null,
  version: (before?.version ?? 0) + 1,
});

const failedBefore = ({ connection }: NewRefund, before: AlertRefund | undefined): Pick<AlertRefund, 'failed'> => {
  const reference = before?.connection === connection ? before.refund?.payment_gateway_reference : undefined;
  const failed = [...(before?.failed ?? []), ...(reference === undefined ? [] : [reference])];
  return failed.length > 0 ? { failed } : {};
};

export const isRefundFinal = ({ state }: Pick<AlertRefund, 'state'>): boolean => state === 'done' || state === 'failed';

/** Checks whether a worker is busy with it now. */
export const isLeased = ({ lease }: AlertRefund, at: string): boolean => lease !== null && lease.until > at;

/** The refund while the processor is asked: for it if it was not asked before, else about it. */
export const refundWithLease = (refund: AlertRefund, attemptId: string, at: string): AlertRefund => {
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

/** The request to a processor. The key is the refund's own: the same for every try. */
export const refundRequestOf = (refund: AlertRefund): ChargeRefundRequest => {
  const { alertId, number, reference, begunAt, reason, failed = [] } = refund;
  const key = `fw-alert-${alertId}-${number}`;
  return { reference, money: refundMoneyOf(refund), key, failed, begunAt, reason, alertId };
};

/** Throws if the row holds an amount that could never have been written. */
export const refundMoneyOf = ({ alertId, amount, currency }: AlertRefund): Money => {
  const money = parseAmount(amount, currency);
  if (typeof money === 'string') throw new Error(`The amount of the refund of alert ${alertId} ${money}`);
  return money;
};

const refundType = ({ isSettled }: AlertRefund): string => (isSettled ? 'refund' : 'void');

const toGatewayTransaction = (refund: AlertRefund, reference: string, at: string): GatewayTransaction => ({
  payment_gateway_reference: reference,
  payment_gateway_reference2: refund.reference,
  payment_gateway_tx_type: refundType(refund),
  payment_gateway_transaction_date: at,
});

/** A leased refund after a processor's answer. A final one stays as it is. `at`: ISO. */
export const afterAnswer = (refund: AlertRefund, answer: RefundState, at: string): AlertRefund => {
  if (isRefundFinal(refund)) return refund;
  const known: AlertRefund = { ...refund, lease: null, version: refund.version + 1 };
  const checked = { ...known, checks: refund.checks + 1 };
  const next = nextCheck({ checks: refund.checks, createdAt: refund.begunAt }, at);
  switch (answer.outcome) {
    case 'OK':
      return {
        ...known,
        state: 'done',
        nextCheckAt: null,
        refund: toGatewayTransaction(refund, answer.reference, at),
        error: null,
      };
    case 'EXC':
      return { ...known, state: 'failed', nextCheckAt: null, error: answer.code };
    case 'PEND':
      return {
        ...checked,
        state: 'asked',
        nextCheckAt: next,
        refund: toGatewayTransaction(refund, answer.reference, at),
      };
    case 'UNKNOWN':
      return { ...checked, state: 'unknown', nextCheckAt: next, error: answer.detail };
    case 'NOT_FOUND':
      return afterMiss(checked, at);
  }
};

/** A refund that is not found may still arrive; after that time it is requested again, and finally given up. */
const afterMiss = (refund: AlertRefund, at: string): AlertRefund => {
  const arrives = after(refund.askedAt ?? refund.begunAt, arrivalMilliseconds);
  const error = 'The processor does not have it';
  if (at < arrives) return { ...refund, state: 'unknown', nextCheckAt: arrives, error };
  if (refund.tries < maxAttempts) return { ...refund, state: 'reserved', nextCheckAt: at, error };
  return { ...refund, state: 'failed', nextCheckAt: null, error: 'not_found_at_processor' };
};

/** A refund that counted as done, after its processor reported that the bank refused it after all. */
export const failAfterDone = (refund: AlertRefund, why: string): AlertRefund => ({
  ...refund,
  state: 'failed',
  error: why,
  version: refund.version + 1,
});
