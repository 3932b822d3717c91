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

export type UpdateDetail = { duplicate_alertid?: string; userid?: string; username?: string };
