/** A transaction at a processor, names as on the wire: see `txdetails` of the new-alert notification. */
export type GatewayTransaction = {
  payment_gateway_reference: string;
  payment_gateway_reference2: string;
  payment_gateway_tx_type: string;
  payment_gateway_transaction_date: string;
};

/** What of a transaction's money is where, in minor units of its currency. */
export type Standing = {
  currency: string;
  /** Of an authorisation that is still to be captured: what is authorised. */
  captured: bigint;
  /** Refunded or voided, by whomever. */
  refunded: bigint;
  /** What may be refunded for the alert. */
  left: bigint;
  /** When the last of it was given back, ISO; absent where nobody says. */
  refundedAt?: string;
  isChargedBack: boolean;
  /** Since when, ISO; absent where nobody says. */
  chargedBackAt?: string;
  /** It has been refunded for this very alert, or the network did. */
  isSettledForAlert: boolean;
  /** The alert's reference number, its authorisation code or its amount is the transaction's. */
  isNamed: boolean;
  /** It has not settled: only the whole of it can be given back. */
  isWholeOnly?: boolean;
};

/** Where a transaction is that was not taken here: at which of the merchant's connections, and what its processor calls it. */
export type ChargePlace = { connection: string; reference: string; isSettled: boolean };

/** What a processor has for an alert's transaction. */
export type Found =
  | { found: 'no_processor' | 'none' }
  | { found: 'one'; transaction: GatewayTransaction; standing: Standing; place?: ChargePlace }
  | { found: 'many'; transactions: readonly GatewayTransaction[] }
  /** Some processors could not be asked, so that nobody can say which it is. */
  | { found: 'unavailable'; transactions: readonly GatewayTransaction[] };
