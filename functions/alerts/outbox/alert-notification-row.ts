import type { Write } from '../../core/table.ts';
import type { Site } from '../../merchants/site.ts';
import { createDelivery, deliveryIdOf, newAlertDeliveryId } from '../../notifications/delivery.ts';
import { newDeliveryWrite } from '../../notifications/delivery-row.ts';
import { createMail, newAlertMailId } from '../../notifications/mail.ts';
import { newMailWrite } from '../../notifications/mail-row.ts';
import type { Alert } from '../alert.ts';
import { formType, newAlertForm } from './payload.ts';

/**
 * The part of a transaction that notifies an alert's owner of what became of it. `number`: one from `newTimedId`, to name
 * the notification by. `at`: ISO.
 */
export const alertNotificationWrite = ({
  kind,
  alert: { alertId, owner },
  number,
  body,
  at,
}: {
  kind: 'status_update' | 'alert_deadline';
  alert: Alert;
  number: number;
  body: string;
  at: string;
}): Write => {
  if (!owner) throw new Error(`Alert ${alertId} has no owner to notify`);
  const { sid, mid, rid } = owner;
  const id = deliveryIdOf(number);
  return newDeliveryWrite(createDelivery({ id, kind, sid, mid, rid, alertId, contentType: formType, body, at }));
};

/**
 * The parts of a transaction that tell a site of its new alert, as far as it wants to be told: the notification and the
 * e-mail. None for a case that was taken back before it had an owner. `at`: ISO.
 */
export const newAlertNotificationWrites = (alert: Alert, site: Site, at: string): Write[] => {
  const { alertId, withdrawnAt } = alert;
  if (!site.alert || withdrawnAt !== null) return [];
  const { sid, mid, rid } = site;
  const { alertapiurl, alert_triggeremail, alert_email } = site.alert;
  const writes: Write[] = [];
  if (alertapiurl !== null) {
    const [id, body] = [newAlertDeliveryId(alertId), newAlertForm(alert)];
    const delivery = createDelivery({ id, kind: 'new_alert', sid, mid, rid, alertId, contentType: formType, body, at });
    writes.push(newDeliveryWrite(delivery));
  }
  if (alert_triggeremail && alert_email.length > 0) {
    const id = newAlertMailId(alertId);
    writes.push(newMailWrite(createMail({ id, kind: 'new_alert', sid, mid, alertId, to: alert_email, at })));
  }
  return writes;
};
