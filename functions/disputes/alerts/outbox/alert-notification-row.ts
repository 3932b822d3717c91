import type { Site } from '#accounts/merchants/site/site.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import type { Letter } from '#core/platform/mail/letter.ts';
import { createMail, mailIdOf, newAlertMailId, reviewMailId } from '#core/platform/mail/mail.ts';
import { newMailWrite } from '#core/platform/mail/mail-row.ts';
import type { Write } from '#core/platform/table/item.ts';
import {
  chatDeliveryId,
  createCancelled,
  createDelivery,
  deliveryIdOf,
  newAlertDeliveryId,
} from '#messaging/webhooks/delivery/delivery.ts';
import { chatKinds } from '#messaging/webhooks/delivery/delivery-policy.ts';
import { newDeliveryWrite } from '#messaging/webhooks/delivery/delivery-row.ts';
import type { Alert } from '../alert.ts';
import { reviewMail } from './alert-mail.ts';
import { formType, newAlertForm } from './alert-payload.ts';

/**
 * The part of a transaction that notifies an alert's owner of a change. `number`: one from `newTimedId`, the notification's
 * identifier. `at`: ISO.
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

const newAlertNotification = (alert: Alert, { sid, mid, rid }: Site, at: string) => {
  const { alertId } = alert;
  const owner = { sid, mid, rid, alertId };
  const id = newAlertDeliveryId(alertId);
  return { id, kind: 'new_alert', ...owner, contentType: formType, body: newAlertForm(alert), at } as const;
};

/** The part for an alert that was answered before its site was notified: nothing is sent, but it can be replayed. */
export const answeredNotificationWrites = (alert: Alert, site: Site, at: string): Write[] =>
  site.alert && alert.withdrawnAt === null
    ? [newDeliveryWrite(createCancelled(newAlertNotification(alert, site, at)))]
    : [];

/** The parts that tell a site of a change to its alert by e-mail, if it wants e-mails about alerts. `at`: ISO. */
export const changeMailWrites = ({ sid, mid, alert: settings }: Site, letter: Letter, at: string): Write[] => {
  const { alert_triggeremail: isWanted = false, alert_email: to = [] } = settings ?? {};
  if (!isWanted || to.length === 0) return [];
  const mail = { id: mailIdOf(newTimedId()), kind: 'alert_changed', sid, mid, to, letter, at } as const;
  return [newMailWrite(createMail(mail))];
};

/** The part for an alert of which its site was never told, and has to be now, as far as it takes notifications. */
export const untoldNotificationWrites = (alert: Alert, site: Site | undefined, at: string): Write[] =>
  typeof site?.alert?.alertapiurl === 'string'
    ? [newDeliveryWrite(createDelivery(newAlertNotification(alert, site, at)))]
    : [];

/** Checks whether people have to review an alert: a network did not refund it, or a rule left it to them. */
const isForReview = ({ providerAlert, action, automatic }: Alert): boolean =>
  (action === 'MATCHED' && automatic?.decision?.result !== 'refund_pending') ||
  (providerAlert.type === 'DISPUTE_RDR' && providerAlert.decision === 'DECLINED');

/** The messages to the site's chats; their text is made from the alert when they are sent. */
const chatWrites = (alertId: number, { sid, mid, rid, alert: settings }: Site, at: string): Write[] => {
  const wanted = { slack: settings?.slack_webhook_url, teams: settings?.teams_webhook_url };
  return chatKinds
    .filter((kind) => wanted[kind])
    .map((kind) => {
      const id = chatDeliveryId(alertId, kind);
      return newDeliveryWrite(
        createDelivery({ id, kind, sid, mid, rid, alertId, contentType: 'application/json', body: '', at }),
      );
    });
};

/**
 * The parts of a transaction that notify a site of its new alert, as far as it wants to be notified: the notification, the messages to its
 * chats and the e-mail. None for a case that was withdrawn before it had an owner. `at`: ISO.
 */
export const newAlertNotificationWrites = (alert: Alert, site: Site, at: string): Write[] => {
  const { alertId, withdrawnAt } = alert;
  if (!site.alert || withdrawnAt !== null) return [];
  const { sid, mid } = site;
  const { alertapiurl, alert_triggeremail, alert_email } = site.alert;
  const alertReceivers = alert_triggeremail ? alert_email : [];
  const writes: Write[] = [];
  // Where there is no URL yet, it can be replayed once there is one.
  const create = alertapiurl === null ? createCancelled : createDelivery;
  writes.push(newDeliveryWrite(create(newAlertNotification(alert, site, at))));
  writes.push(...chatWrites(alertId, site, at));
  if (alertReceivers.length > 0) {
    const id = newAlertMailId(alertId);
    writes.push(newMailWrite(createMail({ id, kind: 'new_alert', sid, mid, alertId, to: alertReceivers, at })));
  }
  const reviewers = site.alert.shieldrdr_review_email.filter((address) => !alertReceivers.includes(address));
  if (isForReview(alert) && reviewers.length > 0) {
    const id = reviewMailId(alertId);
    const mail = { id, kind: 'alert_review', sid, mid, to: reviewers, letter: reviewMail(alert), at } as const;
    writes.push(newMailWrite(createMail(mail)));
  }
  return writes;
};
