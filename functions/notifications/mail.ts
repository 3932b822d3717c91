import { iso, milliseconds } from '../core/clock.ts';

/** What an e-mail tells: so far, that an alert came. */
export type MailKind = 'new_alert';

/** One e-mail, from the transaction that causes it until it is sent or given up. */
export type Mail = {
  id: string;
  kind: MailKind;
  state: 'PENDING' | 'SENT' | 'FAILED';
  sid: number;
  mid: number;
  alertId: number;
  /** Its receivers, each an address of its own. */
  to: readonly string[];
  /** Those of them who have it already. */
  sentTo: readonly string[];
  createdAt: string;
  /** When (ISO) it is given up. */
  expiresAt: string;
};

/** The identifier of an alert's e-mail. */
export const newAlertMailId = (alertId: number): string => `eml_${alertId}`;

/** A new e-mail, owed at once. `at` is ISO. */
export const createMail = ({
  at,
  ...rest
}: Pick<Mail, 'id' | 'kind' | 'sid' | 'mid' | 'alertId' | 'to'> & { at: string }): Mail => ({
  ...rest,
  state: 'PENDING',
  sentTo: [],
  createdAt: at,
  expiresAt: iso(Date.parse(at) + 3 * milliseconds.day),
});
