/**
 * States, events and fields that the service names and the dashboard shows as they are, in English: `open_order` as `Open order`. Every
 * catalogue has them with `|state` at their end. The dashboard does not load this list.
 */
export const shownStates: readonly string[] = [
  // Alerts: types, states and the results of refunds.
  ...['Fraud', 'Dispute', 'Cancel', 'Fraud notice', 'Dispute notice', 'Expired', 'Test', 'Done', 'Failed', 'Pending'],
  // Deliveries, answers to networks and look-ups.
  ...['Delivered', 'Cancelled', 'New alert', 'Status update', 'Alert deadline', 'Enrollment update', 'Postback'],
  ...['Accepted', 'Refused', 'Superseded', 'Manual', 'Found', 'Not found', 'Multiple', 'Error'],
  ...['Open', 'Disputed', 'Deflected'],
  // Authentications.
  ...['Authenticated', 'Attempted', 'Informational', 'Not authenticated', 'Rejected', 'Unavailable', 'Canceled'],
  ...['Timed out', 'Created', 'Challenge'],
  // Payments and their fraud checks.
  ...['Payment', 'Preauth', 'Capture', 'Refund', 'Void', 'Payout', 'Charged back', 'Reject', '3ds'],
  ...['Partly refunded', 'Voided'],
  // Deliveries of orders.
  ...['Not shipped', 'Shipped', 'In transit', 'Pickup', 'Exception'],
  // Enrollments.
  ...['Enrolled', 'Unenrolled', 'Partially enrolled', 'Waiting for action', 'Waiting for provider'],
  // Credits and chargebacks.
  ...['None', 'Claimable', 'Claimed', 'Granted', 'Under review', 'Won', 'Lost', 'Refunded by network'],
  ...['Inquiry', 'Chargeback', 'Arbitration'],
  // Rules.
  ...['Decline', 'Resolve', 'Notify', 'Review', 'Leave to merchant', 'Live', 'Differs', 'Disabled'],
  ...['Submit', 'Accept', 'Assign'],
  ...['Refunded', 'Resolved', 'Declined', 'Notified', 'Recorded', 'Refund pending', 'Left to merchant'],
  ...['Answered before refund'],
  ...['No transaction', 'Several matches', 'Evidence insufficient', 'Connection unavailable', 'Daily cap'],
  ...['Above max refund amount', 'Max refund amount of other currency', 'Amount unknown', 'Disputed amount unclear'],
  ...['Amount not available', 'Only whole refundable', 'Transaction state wrong', 'Already refunded'],
  ...['Already charged back', 'Duplicate', 'Not a duplicate', 'Test alert', 'Payment not linked'],
  // The history of an alert: events, ways and fields.
  ...['Received', 'Assigned', 'Updated', 'Noted', 'Payment linked', 'Payment unlinked', 'Answered by refund'],
  ...['Refunded before', 'Refund failed', 'Decided by rule', 'Rules wait'],
  ...['Changed by provider', 'Confirmed by provider', 'Reopened by provider', 'Withdrawn by provider'],
  ...['Provider refused the outcome', 'Outcome expired', 'Outcome marked', 'Outcome sent again', 'Deadline warning'],
  ...['Deadline passed', 'Chargeback won', 'Intake', 'Assignment', 'Enrollment', 'Update', 'Webhook reply'],
  ...['Dashboard', 'Deadline', 'Rules', 'Outcomes', 'Chargebacks'],
  ...['Status', 'Alert action', 'Reason code', 'Alert outcome amount', 'Alert outcome currency'],
  ...['Alert outcome action date', 'Refunded by', 'Refunded elsewhere', 'Comments', 'Merchant notes', 'Tx details'],
  ...['Amount', 'Currency', 'Dispute amount', 'Dispute currency', 'Condition code', 'Duplicate alertid'],
  ...['Assigned at', 'Chargeback id', 'Afterwards', 'Txid', 'Match', 'Connection', 'Reference'],
  // Users and the audit log.
  ...['Analyst', 'Developer', 'Manager', 'Unknown'],
];
