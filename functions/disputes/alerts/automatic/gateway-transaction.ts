import type { MatchEvidenceDto } from '#disputes/matching/match.ts';

/** A transaction at a processor, names as on the wire: see `txdetails` of the new-alert notification. */
export type GatewayTransaction = {
  payment_gateway_reference: string;
  payment_gateway_reference2: string;
  payment_gateway_tx_type: string;
  payment_gateway_transaction_date: string;
  /** Of a candidate: how well it fits the alert, in words. */
  comment?: string;
};

/** The amounts of a transaction: captured, refunded and left, in minor units of its currency. */
export type TransactionStanding = {
  currency: string;
  /** For an authorisation not yet captured: the authorised amount. */
  captured: bigint;
  /** Refunded or voided by anybody. */
  refunded: bigint;
  /** The refundable amount for the alert. */
  left: bigint;
  /** When it was last refunded or voided, ISO; absent if not known. */
  refundedAt?: string;
  isChargedBack: boolean;
  /** Since when, ISO; absent if not known. */
  chargedBackAt?: string;
  /** The network has refunded the cardholder, and nothing was charged back. */
  isRefundedByNetwork?: true;
  /** It has been refunded for this alert, here or by the network. */
  isSettledForAlert: boolean;
  /** The alert's reference number, authorisation code or amount equals the transaction's. */
  isNamed: boolean;
  /** It has not settled, so only the whole amount can be given back. */
  isWholeOnly?: boolean;
};

/** Where a transaction that was not taken here can be found: the merchant's connection, and the processor's reference. */
export type ChargePlace = { connection: string; reference: string; isSettled: boolean };

/** The result of looking for an alert's transaction at processors. */
export type TransactionSearch =
  | { found: 'no_processor' | 'none' }
  | {
      found: 'one';
      transaction: GatewayTransaction;
      standing: TransactionStanding;
      match: MatchEvidenceDto;
      place?: ChargePlace;
    }
  | { found: 'many' | 'uncertain'; transactions: readonly GatewayTransaction[] }
  /** Some processors could not be asked, so the transaction cannot be determined. */
  | { found: 'unavailable'; transactions: readonly GatewayTransaction[] };
