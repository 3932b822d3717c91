/** What a merchant told about an alert, as accepted: names as on the wire, absent where it said nothing. */
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

/** What a merchant says besides under names of its own is kept and shown as it is, without card numbers and secrets. */
export type UpdateDetail = { duplicate_alertid?: string; userid?: string; username?: string; [name: string]: unknown };
