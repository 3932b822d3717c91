import { iso, milliseconds } from '#core/kernel/clock.ts';
import type { Letter } from './letter.ts';
import type { LinkSeed } from './link-token.ts';
import type { MailText } from './mail-text.ts';

/** The subject of an e-mail. */
export type MailKind =
  | 'new_alert'
  | 'card_search'
  | 'enrollment_update'
  | 'retailer_enrolled'
  | 'outcome_failed'
  | 'alert_deadline'
  | 'alert_unmatched'
  | 'alert_review'
  | 'alert_changed'
  | 'alert_assigned'
  | 'alert_mention'
  | 'alert_digest'
  | 'monthly_report'
  | 'notification_failing'
  | 'payment_made'
  | 'first_payment'
  | 'chargeback_raised'
  | 'diversion_notice'
  | 'password_forgotten';

/** One e-mail, from the transaction that causes it until it is sent or given up. */
export type Mail = {
  id: string;
  kind: MailKind;
  state: 'PENDING' | 'SENT' | 'FAILED';
  sid: number;
  mid: number;
  /** For new_alert, whose text is made from the alert when it is sent. */
  alertId: number | null;
  /** The text of kinds that are the same for every reader. */
  text: MailText | null;
  /** The content of those that are written for each reader when they are sent. */
  letter?: Letter;
  /** The link of the letter gets the token that follows from it when it is sent; no row has the token. */
  linkSeed?: LinkSeed;
  /** Where the service was called, for links where no address of the dashboard is set. */
  baseUrl?: string;
  /** Its receivers, one address each. */
  to: readonly string[];
  /** True if it also goes to the merchant's managers at the time of sending. */
  toManagers?: true;
  /** Where replies go; absent: to the sender. */
  replyTo?: string;
  /** The receivers to whom it has been sent already. */
  sentTo: readonly string[];
  /** The devices that have shown it or are gone, if it is sent in several goes. */
  shownOn?: readonly string[];
  createdAt: string;
  /** When (ISO) it is given up. */
  expiresAt: string;
};

/** The identifier of an alert's e-mail. */
export const newAlertMailId = (alertId: number): string => `eml_${alertId}`;

/** The identifier of the e-mail to those who review alerts by hand. */
export const reviewMailId = (alertId: number): string => `eml_${alertId}_review`;

/** The identifier of any other e-mail, from a number drawn by `newTimedId`. */
export const mailIdOf = (timedId: number): string => `eml_${timedId}`;

const usualLife = 3 * milliseconds.day;

/** Creates an e-mail, which is due immediately. `at` is ISO. `life`: milliseconds after which it is given up. */
export const createMail = ({
  at,
  alertId = null,
  text = null,
  life = usualLife,
  ...rest
}: Pick<Mail, 'id' | 'kind' | 'sid' | 'mid' | 'to'> &
  Partial<Pick<Mail, 'alertId' | 'text' | 'letter' | 'replyTo' | 'toManagers' | 'linkSeed' | 'baseUrl'>> & {
    at: string;
    life?: number;
  }): Mail => ({
  ...rest,
  alertId,
  text,
  state: 'PENDING',
  sentTo: [],
  createdAt: at,
  expiresAt: iso(Date.parse(at) + life),
});
