import type { Site } from '#accounts/merchants/site/site.ts';
import type { Write } from '#core/platform/table/item.ts';
import { type Alert, holdReason, isOpen } from '../alert.ts';
import { askedAnewWrite, newDecisionWrite } from '../automatic/decision-row.ts';
import { subjectOfAlert } from '../automatic/rule-row.ts';
import { newHoldWrite } from '../hold-row.ts';
import { newAlertNotificationWrites } from './alert-notification-row.ts';

/**
 * The parts of a transaction that tell a site of its new alert: the notifications themselves or, if rules are evaluated
 * first, the row that makes those due, and with them the notifications. Rules are evaluated for alerts that await an
 * answer, and for early fraud warnings, which the site learns of at once. Also the row that makes the search for the alert's payment due, if the payment may have to be held.
 */
export const newAlertOutboxWrites = (alert: Alert, site: Site, asksRules: boolean, at: string): Write[] => [
  ...(asksRules && isOpen(alert)
    ? [newDecisionWrite(alert.alertId, site.sid, at)]
    : newAlertNotificationWrites(alert, site, at)),
  ...(asksRules && subjectOfAlert(alert.providerAlert) === 'warnings' && alert.withdrawnAt === null
    ? [askedAnewWrite(alert.alertId, site.sid, at)]
    : []),
  ...(holdReason(alert) === null ? [] : [newHoldWrite(alert.alertId, at)]),
];
