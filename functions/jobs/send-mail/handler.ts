import { findNotifiedDevices, forgetDevice } from '#accounts/auth/users/device-store.ts';
import { findMailReaders } from '#accounts/auth/users/people-store.ts';
import { MailMessage } from '#core/platform/mail/mail-due.ts';
import { queueHandler } from '#core/platform/work/batch.ts';
import { findAlertLetter } from '#disputes/alerts/outbox/alert-mail-store.ts';
import { sendMail } from '#messaging/mail/mail-flow.ts';

const port = { findLetter: findAlertLetter, findReaders: findMailReaders, findNotifiedDevices, forgetDevice };

export const handler = queueHandler(MailMessage, ({ mailId }) => sendMail(mailId, port));
