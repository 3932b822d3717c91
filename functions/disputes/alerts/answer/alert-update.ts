/** A merchant's update of an alert, as accepted: names as on the wire, fields it left out are absent. */
export type AlertUpdate = {
  status: 'RESOLVED' | 'DECLINED' | 'WIP' | 'OTHER';
  reason_code: string;
  alert_outcome_amount?: string;
  alert_outcome_currency?: string;
  alert_outcome_action_date?: string;
  comments?: string;
  merchant_notes?: string;
  tx_details?: readonly UpdateDetail[];
  /** With a result that states a refund: who made it. Absent in rows from before 2026-11-24, and for other results. */
  refunded_by?: RefundMaker;
  /** A person's statement about a refund that Forewarn did not make. */
  refunded_elsewhere?: RefundedElsewhere;
};

/** `network`: the network refunded the cardholder by itself. `merchant`: elsewhere, as the merchant reports. */
export const refundMakers = ['forewarn', 'network', 'merchant'] as const;
export type RefundMaker = (typeof refundMakers)[number];

/** `date`: ISO. `amount`: canonical decimals of the currency of the outcome amount. */
export type RefundedElsewhere = { date: string; reference?: string; amount?: string };

/** Fields under a merchant's own names are kept and shown as sent, without card numbers and secrets. */
export type UpdateDetail = { duplicate_alertid?: string; userid?: string; username?: string; [name: string]: unknown };
