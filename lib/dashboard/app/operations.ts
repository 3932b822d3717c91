import type { alertDetails as AlertDetailsOperation } from '../../../functions/alerts/alert-details/operation.ts';
import type { answerAlert as AnswerAlertOperation } from '../../../functions/alerts/answer-alert/operation.ts';
import type { listAlerts as ListAlertsOperation } from '../../../functions/alerts/list-alerts/operation.ts';
import type { listReasonCodes as ListReasonCodesOperation } from '../../../functions/alerts/list-reason-codes/operation.ts';
import { type ReplyOf, type RowOf, remote } from './client.ts';

/** What the screens call. Paths and roles are held against the declarations by the compiler. */

export const listAlerts = remote<typeof ListAlertsOperation>({ path: '/api/v3/service_alerts/alerts' });
export type AlertRow = RowOf<typeof ListAlertsOperation>;

export const alertDetails = remote<typeof AlertDetailsOperation>({
  path: '/api/v3/service_alerts/alert/{alert_id}/details',
});
export type AlertShown = ReplyOf<typeof AlertDetailsOperation>;

export const answerAlert = remote<typeof AnswerAlertOperation>({
  path: '/api/v3/service_alerts/alert/{alert_id}/update',
  roles: ['analyst', 'manager'],
});

export const listReasonCodes = remote<typeof ListReasonCodesOperation>({
  path: '/api/v3/service_alerts/reason-codes',
});
export type ReasonCode = RowOf<typeof ListReasonCodesOperation>;
