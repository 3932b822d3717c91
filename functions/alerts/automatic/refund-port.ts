import type { Alert } from '../alert.ts';
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

/** `pending`: it is under way, and whoever sees what becomes of it answers the alert. */
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
};
