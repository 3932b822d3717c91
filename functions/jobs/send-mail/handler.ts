import { managerAddresses } from '#accounts/auth/users/manager-store.ts';
import { MailMessage } from '#core/platform/mail/mail-due.ts';
import { queueHandler } from '#core/platform/work/batch.ts';
import { writeAlertMail } from '#disputes/alerts/outbox/alert-mail-store.ts';
import { sendMail } from '#messaging/mail/mail-flow.ts';

export const handler = queueHandler(MailMessage, ({ mailId }) => sendMail(mailId, writeAlertMail, managerAddresses));
