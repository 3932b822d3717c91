import { queueHandler } from '#core/platform/work/batch.ts';
import { MailMessage } from '#core/platform/work/messages.ts';
import { sendMail } from '../../mail-flow.ts';

export const handler = queueHandler(MailMessage, ({ mailId }) => sendMail(mailId));
