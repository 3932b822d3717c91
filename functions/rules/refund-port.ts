import type { Alert } from '../alerts/alert.ts';

/** A transaction at a processor, names as on the wire: see `txdetails` of the new-alert notification. */
export type GatewayTransaction = {
  payment_gateway_reference: string;
  payment_gateway_reference2: string;
  payment_gateway_tx_type: string;
  payment_gateway_transaction_date: string;
};

/** What a processor has for an alert's transaction. */
export type Found =
  | { found: 'no_processor' | 'none' }
  | { found: 'one'; transaction: GatewayTransaction }
  | { found: 'many'; transactions: readonly GatewayTransaction[] };

export type RefundRequest = {
  alert: Alert;
  transaction: GatewayTransaction;
  /** Canonical decimals of the currency. */
  amount: string;
  currency: string;
  /** The same for every try of one alert: a processor must refund once for it. */
  idempotencyKey: string;
};

export type Refunded = { refunded: true; transaction: GatewayTransaction } | { refunded: false; reason: string };

/**
 * The way to a site's processor. Both may throw for what passes; they are then called again, with the same key. What is
 * final is answered, not thrown.
 */
export type RefundPort = {
  findTransactions(alert: Alert): Promise<Found>;
  refund(request: RefundRequest): Promise<Refunded>;
};
