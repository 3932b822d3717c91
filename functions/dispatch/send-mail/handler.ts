import { queueHandler } from '../../core/batch.ts';
import { MailMessage } from '../../notifications/messages.ts';
import { sendMail } from '../mail-flow.ts';

export const handler = queueHandler(MailMessage, ({ mailId }) => sendMail(mailId));
