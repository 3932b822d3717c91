import type { listSitesOperation as ListSitesOperation } from '#accounts/merchants/api/list-sites/operation.ts';
import type { alertDetailsOperation as AlertDetailsOperation } from '#disputes/alerts/api/alert-details/operation.ts';
import type { answerAlertOperation as AnswerAlertOperation } from '#disputes/alerts/api/answer-alert/operation.ts';
import type { listAlertsOperation as ListAlertsOperation } from '#disputes/alerts/api/list-alerts/operation.ts';
import type { listReasonCodesOperation as ListReasonCodesOperation } from '#disputes/alerts/api/list-reason-codes/operation.ts';
import type { noteAlertOperation as NoteAlertOperation } from '#disputes/alerts/api/note-alert/operation.ts';
import type { pulseOperation as PulseOperation } from '#disputes/alerts/api/pulse/operation.ts';
import type { alertTransactionsOperation as AlertTransactionsOperation } from '#disputes/connections/api/alert-transactions/operation.ts';
import type { connectionDetailsOperation as ConnectionDetailsOperation } from '#disputes/connections/api/connection-details/operation.ts';
import type { processRefundOperation as ProcessRefundOperation } from '#disputes/refunds/api/processrefund/operation.ts';
import type { refundAlertOperation as RefundAlertOperation } from '#disputes/refunds/api/refund-alert/operation.ts';
import type { listNotificationsOperation as ListDeliveriesOperation } from '#messaging/webhooks/api/list/operation.ts';
import type { transactionDetailsOperation as TransactionDetailsOperation } from '#payments/transactions/api/transaction-details/operation.ts';
import { type ReplyOf, type RowOf, remote } from './client.ts';

/**
 * The operations of the first screens; others name theirs in their own files. The compiler checks paths and roles against the declarations.
 */

export const listAlerts = remote<typeof ListAlertsOperation>({ path: '/api/v3/service_alerts/alerts' });
export type AlertRow = RowOf<typeof ListAlertsOperation>;

export const alertDetails = remote<typeof AlertDetailsOperation>({
  path: '/api/v3/service_alerts/alert/{alert_id}/details',
});
export type AlertDto = ReplyOf<typeof AlertDetailsOperation>;

export const answerAlert = remote<typeof AnswerAlertOperation>({
  path: '/api/v3/service_alerts/alert/{alert_id}/update',
  roles: ['analyst', 'manager'],
});

export const refundAlert = remote<typeof RefundAlertOperation>({
  path: '/api/v3/service_alerts/alert/{alert_id}/refund',
  roles: ['analyst', 'manager'],
});

export const noteAlert = remote<typeof NoteAlertOperation>({
  path: '/api/v3/service_alerts/alert/{alert_id}/note',
  roles: ['analyst', 'manager'],
});

export const findCharges = remote<typeof AlertTransactionsOperation>({
  path: '/api/v3/service_alerts/alert/{alert_id}/transactions',
});
export type ChargesFound = ReplyOf<typeof AlertTransactionsOperation>;
export type ChargeFound = ChargesFound['transactions'][number];

export const listReasonCodes = remote<typeof ListReasonCodesOperation>({
  path: '/api/v3/service_alerts/reason-codes',
});
export type ReasonCode = RowOf<typeof ListReasonCodesOperation>;

export const askPulse = remote<typeof PulseOperation>({ path: '/api/v3/service_alerts/alerts/pulse' });

export const listDeliveries = remote<typeof ListDeliveriesOperation>({ path: '/api/v3/notifications/list' });
export type DeliveryRow = RowOf<typeof ListDeliveriesOperation>;

export const listSites = remote<typeof ListSitesOperation>({ path: '/api/v3/site/list' });
export type SiteRow = RowOf<typeof ListSitesOperation>;

export const paymentDetails = remote<typeof TransactionDetailsOperation>({
  path: '/api/v3/service_process/transaction/{parentxid}/details',
});
export type PaymentDto = ReplyOf<typeof TransactionDetailsOperation>;

export const refundPayment = remote<typeof ProcessRefundOperation>({
  path: '/api/v3/service_process/transaction/{parentxid}/processrefund',
  roles: ['analyst', 'manager'],
});

export const connectionsOf = remote<typeof ConnectionDetailsOperation>({
  path: '/api/v3/merchant/{mid}/connections/details',
});
