import { RetryLater } from '../../core/worker.ts';
import type { Alert } from '../alert.ts';
import type { BegunRefund } from './decision-row.ts';
import type { ChargePlace, Found, GatewayTransaction } from './gateway-transaction.ts';

export type RefundRequest = {
  alert: Alert;
  transaction: GatewayTransaction;
  /** Absent: it was taken here. */
  place?: ChargePlace;
  /** Canonical decimals of the currency. */
  amount: string;
  currency: string;
  /** The same for every try of one alert: a processor must refund once for it. */
  idempotencyKey: string;
};

/** `pending`: it is under way, and the step that learns its result answers the alert. */
export type Refunded =
  | { refunded: true; transaction: GatewayTransaction }
  | { refunded: false; reason: string }
  | { refunded: 'pending' };

/**
 * The way to a site's processor. Both may throw for what passes; they are then called again, with the same key. What is
 * final is answered, not thrown.
 */
export type RefundPort = {
  findTransactions(alert: Alert): Promise<Found>;
  refund(request: RefundRequest): Promise<Refunded>;
  /** What the rule wants done besides, once it is refunded: in words what was done and what could not be. Never throws. */
  afterRefund?(alert: Alert, begun: Pick<BegunRefund, 'rule' | 'transaction' | 'place'>): Promise<readonly string[]>;
};

/** Nobody knows yet what became of a refund of a payment that was taken here: the rules are asked again. */
export class RefundUnknown extends RetryLater {
  override readonly name = 'RefundUnknown';
  readonly txid: number;
  constructor(txid: number) {
    super(`What became of refund ${txid} is not known yet`);
    this.txid = txid;
  }
}
