import * as v from 'valibot';
import { findNotifiedDevices, forgetDevice } from '#accounts/auth/users/device-store.ts';
import { MonthlyReportsMessage } from '#accounts/auth/users/monthly-report-due.ts';
import { findMailReaders } from '#accounts/auth/users/people-store.ts';
import type { Mail } from '#core/platform/mail/mail.ts';
import { MailMessage } from '#core/platform/mail/mail-due.ts';
import { queueHandler } from '#core/platform/work/batch.ts';
import { findAlertLetter } from '#disputes/alerts/outbox/alert-mail-store.ts';
import { sendMail } from '#messaging/mail/mail-flow.ts';
import { beginMonthlyReports, findMonthlyReport } from '../monthly-report-flow.ts';

const findLetter = (mail: Mail) => (mail.kind === 'monthly_report' ? findMonthlyReport(mail) : findAlertLetter(mail));
const port = { findLetter, findReaders: findMailReaders, findNotifiedDevices, forgetDevice };

export const handler = queueHandler(v.union([MonthlyReportsMessage, MailMessage]), (message) =>
  'reportsAfter' in message ? beginMonthlyReports(message.reportsAfter) : sendMail(message.mailId, port),
);
