import type { Letter } from '#core/platform/mail/letter.ts';
import type { Mail } from '#core/platform/mail/mail.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { fromAlertItem } from '../alert-row.ts';
import { newAlertMail } from './alert-mail.ts';

/** The content of the e-mail about a new alert, from the alert as it is now. Throws if the alert is gone. */
export const findAlertLetter = async ({ id, alertId }: Pick<Mail, 'id' | 'alertId'>): Promise<Letter> => {
  const item = alertId === null ? undefined : await getItem(keys.alert(alertId));
  if (!item) throw new Error(`Alert ${alertId} of e-mail ${id} is missing`);
  return newAlertMail(fromAlertItem(item));
};
