import type { Write } from '../../core/table.ts';
import type { Site } from '../../merchants/site.ts';
import { type Alert, holdReason, isOpen } from '../alert.ts';
import { newDecisionWrite } from '../automatic/decision-row.ts';
import { newHoldWrite } from '../hold-row.ts';
import { newAlertNotificationWrites } from './alert-notification-row.ts';

/**
 * The parts of a transaction by which a site learns of its new alert: the notices themselves or, where rules are to be
 * asked first, what owes that, and with it the notices. Rules are asked only of alerts that await an answer. Besides, what
 * owes that the alert's payment is found, where it is to be kept from others.
 */
export const newAlertOutboxWrites = (alert: Alert, site: Site, asksRules: boolean, at: string): Write[] => [
  ...(asksRules && isOpen(alert)
    ? [newDecisionWrite(alert.alertId, site.sid, at)]
    : newAlertNotificationWrites(alert, site, at)),
  ...(holdReason(alert) === null ? [] : [newHoldWrite(alert.alertId, at)]),
];
