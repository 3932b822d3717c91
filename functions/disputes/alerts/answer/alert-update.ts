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
};

/** Fields under a merchant's own names are kept and shown as sent, without card numbers and secrets. */
export type UpdateDetail = { duplicate_alertid?: string; userid?: string; username?: string; [name: string]: unknown };
