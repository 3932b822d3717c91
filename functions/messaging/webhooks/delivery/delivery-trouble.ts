import { paymentReceivers } from '#accounts/merchants/settings/payment-settings.ts';
import type { Site } from '#accounts/merchants/site/site.ts';
import { milliseconds } from '#core/kernel/clock.ts';
import { redactText } from '#core/platform/log/redaction.ts';
import { createLetter } from '#core/platform/mail/letter.ts';
import { createMail, type Mail } from '#core/platform/mail/mail.ts';
import type { Delivery, DeliveryAttempt } from './delivery.ts';
import { isChat, policies } from './delivery-policy.ts';

/** The reason of an e-mail about a notification that does not arrive. */
export type DeliveryTrouble = 'failing' | 'expired';

/** Returns the event of a delivery about which its merchant must be notified by e-mail; null if there is none. */
export const findTrouble = (before: Pick<Delivery, 'state'>, after: Delivery): DeliveryTrouble | null => {
  if (before.state !== 'PENDING') return null;
  if (after.state === 'EXPIRED') return 'expired';
  return after.state === 'PENDING' && after.attempts.length === policies[after.kind].warnsAfter ? 'failing' : null;
};

const spanMilliseconds = 12 * milliseconds.hour;

/**
 * One e-mail per site, kind of failure and half a day: an endpoint that is down fails every notification. A chat's failure does
 * not hide the endpoint's.
 */
const mailIdOfTrouble = ({ sid, kind }: Delivery, trouble: DeliveryTrouble, at: string): string =>
  `eml_${trouble}${isChat(kind) ? '_chat' : ''}_${sid}_${Math.floor(Date.parse(at) / spanMilliseconds)}`;

/** Returns the receivers: the addresses named for alerts, or for payments. */
const troubleReceivers = ({ alert, payment }: Site): readonly string[] => {
  if (alert) return alert.alert_email;
  return paymentReceivers({ payment });
};

/** Without what may be secret. */
const urlWithoutSecrets = (url: string | null): string => {
  const parsed = url === null ? null : URL.parse(url);
  return parsed ? redactText(`${parsed.origin}${parsed.pathname}`) : '';
};

const errorWords: Partial<Record<NonNullable<DeliveryAttempt['error']>, string>> = {
  no_url: 'the site has no URL for it',
};

const troubleReason = ({ error, status }: Pick<DeliveryAttempt, 'error' | 'status'>): string => {
  if (error === 'http_status') return `the endpoint answered ${status}`;
  return error === null ? '' : (errorWords[error] ?? error.replaceAll('_', ' '));
};

const words = {
  failing: {
    subject: 'Notifications do not arrive',
    introduction:
      'A notification has failed several times. It is tried again until the time below; others of this site may be failing too.',
  },
  expired: {
    subject: 'A notification was given up',
    introduction:
      'A notification could not be delivered in time and is not tried again. Fix the endpoint, then send the failed notifications again: POST /api/v3/notifications/replay-failed.',
  },
} as const;

/** Creates the e-mail about a failing delivery; null if the site names no address. `at`: ISO. */
export const troubleMail = (delivery: Delivery, site: Site, trouble: DeliveryTrouble, at: string): Mail | null => {
  const to = troubleReceivers(site);
  if (to.length === 0) return null;
  const { sid, mid, name } = site;
  const { subject, introduction } = words[trouble];
  const last = delivery.attempts.at(-1);
  const letter = createLetter({
    subject: `${subject}: ${name} (${sid})`,
    kicker: 'Notifications to your endpoint',
    heading: subject,
    lead: introduction,
    rows: [
      ['Site', `${name} (${sid})`],
      ['Notification', delivery.id],
      ['Kind', delivery.kind.replaceAll('_', ' ')],
      ['Alert', delivery.alertId === null ? '' : String(delivery.alertId)],
      ['Sent to', urlWithoutSecrets(last?.url ?? delivery.postbackUrl)],
      ['Attempts', String(delivery.attempts.length)],
      ['Last failure', last ? troubleReason(last) : 'no attempt could be made'],
      ['Next attempt', delivery.nextAttemptAt === null ? '' : { at: delivery.nextAttemptAt }],
      ['Tried until', trouble === 'failing' ? { at: delivery.expiresAt } : ''],
    ],
    link: { path: `#/deliveries/${delivery.id}`, words: 'Open the notification' },
  });
  const id = mailIdOfTrouble(delivery, trouble, at);
  return createMail({ id, kind: 'notification_failing', sid, mid, to, letter, at });
};
