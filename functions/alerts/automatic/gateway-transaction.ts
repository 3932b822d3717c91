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
