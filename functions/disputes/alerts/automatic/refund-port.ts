import { RetryLaterError } from '#core/platform/operation/worker.ts';
import type { Alert } from '../alert.ts';
import type { BegunRefund } from './decision-row.ts';
import type { ChargePlace, GatewayTransaction, TransactionSearch } from './gateway-transaction.ts';

export type RefundRequest = {
  alert: Alert;
  transaction: GatewayTransaction;
  /** Absent: the payment was taken here. */
  place?: ChargePlace;
  /** Canonical decimals of the currency. */
  amount: string;
  currency: string;
  /** The same for every attempt for an alert, so that a processor refunds only once. */
  idempotencyKey: string;
};

/**
 * `pending`: the refund is under way; the alert is answered when its result is known. `txid`: the number of a refund of a payment
 * taken here.
 */
export type Refunded =
  | { refunded: true; transaction: GatewayTransaction; txid?: number }
  | { refunded: false; reason: string }
  | { refunded: 'pending' };

/**
 * Access to a site's processor. Both functions may throw on temporary errors; they are then called again with the same key. Final
 * results are returned, not thrown.
 */
export type RefundPort = {
  findTransactions(alert: Alert): Promise<TransactionSearch>;
  refund(request: RefundRequest): Promise<Refunded>;
  /** Does what else the rule wants, after the refund if it makes one; returns what was done and what could not be, in words. Never throws. */
  doExtras?(alert: Alert, wanted: ExtrasOfRule): Promise<readonly string[]>;
};

/** A rule and the payment that it is about, if one is certain. */
export type ExtrasOfRule = Pick<BegunRefund, 'rule'> & Partial<Pick<BegunRefund, 'transaction' | 'place'>>;

/** The result of refunding a payment taken here is not known yet: the rules are evaluated again. */
export class RefundStateUnknownError extends RetryLaterError {
  override readonly name = 'RefundStateUnknownError';
  readonly txid: number;
  constructor(txid: number) {
    super(`What became of refund ${txid} is not known yet`);
    this.txid = txid;
  }
}
