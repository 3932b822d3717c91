// Written by npm run fix, from the files <noun>-due.ts next to the rows that wait for work.
import { digestDue } from '#accounts/auth/users/digest-due.ts';
import { monthlyReportDue } from '#accounts/auth/users/monthly-report-due.ts';
import { mailDue } from '#core/platform/mail/mail-due.ts';
import type { Due } from '#core/platform/work/due.ts';
import { alertOrderDue } from '#disputes/alerts/alert-order-due.ts';
import { outcomeDue } from '#disputes/alerts/answer/outcome-due.ts';
import { decisionDue } from '#disputes/alerts/automatic/decision-due.ts';
import { deadlineDue } from '#disputes/alerts/deadline/deadline-due.ts';
import { holdDue } from '#disputes/alerts/hold-due.ts';
import { chargebackDue } from '#disputes/chargebacks/chargeback-due.ts';
import { disputeLookDue } from '#disputes/connections/dispute-look-due.ts';
import { enrollmentDue } from '#disputes/enrollments/enrollment-due.ts';
import { inboxMatchDue } from '#disputes/enrollments/inbox/inbox-match-due.ts';
import { historyImportDue } from '#disputes/history/import/history-import-due.ts';
import { lookupDue } from '#disputes/lookups/lookup/lookup-due.ts';
import { refundDue } from '#disputes/refunds/refund-due.ts';
import { backTestDue } from '#disputes/rules/back-test/back-test-due.ts';
import { deliveryDue } from '#messaging/webhooks/delivery/delivery-due.ts';
import { orderSourceDue } from '#payments/orders/source/order-source-due.ts';
import { sandboxDisputeDue } from '#payments/processors/sandbox/sandbox-dispute-due.ts';
import { authenticationDue } from '#payments/threeds/authentication/authentication-due.ts';
import { disputeNoticeDue } from '#payments/transactions/dispute/dispute-notice-due.ts';
import { newsDue } from '#payments/transactions/settlement/news-due.ts';
import { transactionDue } from '#payments/transactions/transaction/transaction-due.ts';

/** Every kind of due work. */
export const dues: readonly Due[] = [
  digestDue,
  monthlyReportDue,
  mailDue,
  alertOrderDue,
  outcomeDue,
  decisionDue,
  deadlineDue,
  holdDue,
  chargebackDue,
  disputeLookDue,
  enrollmentDue,
  inboxMatchDue,
  historyImportDue,
  lookupDue,
  refundDue,
  backTestDue,
  deliveryDue,
  orderSourceDue,
  sandboxDisputeDue,
  authenticationDue,
  disputeNoticeDue,
  newsDue,
  transactionDue,
];
