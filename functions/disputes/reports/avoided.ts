/** The alerts whose chargeback was avoided. For reports of the service and of the dashboard; imports nothing. */

type Answered = {
  status: string;
  reason_code: string | null;
  late: boolean;
  test: boolean;
  alert_type: string;
};

/** Checks whether an alert was answered by a refund in time, a network's own included, as reports count it. */
export const isAvoided = ({ status, reason_code: code, late, test, alert_type: type }: Answered): boolean =>
  !test && !late && status === 'RESOLVED' && (code === null ? type === 'DISPUTE_RDR' : /\.001$/.test(code));
