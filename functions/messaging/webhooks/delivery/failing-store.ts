import { fromSiteItem } from '#accounts/merchants/site/site-row.ts';
import { toMailItem } from '#core/platform/mail/mail-row.ts';
import { requireNew } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { ConditionFailedError, getItem, putItem } from '#core/platform/table/table.ts';
import type { Delivery } from './delivery.ts';
import { findTrouble, troubleMail } from './delivery-trouble.ts';

/**
 * Makes the e-mail due about a delivery that is about to be recorded as failing or expired. It precedes that write, so that it is not lost
 * with it; repeated, it is the same e-mail. `at`: ISO.
 */
export const oweTroubleMail = async (before: Delivery, after: Delivery, at: string): Promise<void> => {
  const trouble = findTrouble(before, after);
  if (trouble === null) return;
  const item = await getItem(keys.site(after.sid));
  const mail = item && troubleMail(after, fromSiteItem(item), trouble, at);
  if (!mail) return;
  await putItem(toMailItem(mail), requireNew).catch((error: unknown) => {
    if (!(error instanceof ConditionFailedError)) throw error;
  });
};
