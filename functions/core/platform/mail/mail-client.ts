import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { maskCardNumbers } from '#core/kernel/card/card-numbers.ts';
import { requireVariable } from '../operation/environment.ts';
import { clientSettings } from '../table/aws.ts';
import type { MailText } from './mail-text.ts';

const client = new SESv2Client(clientSettings);

/** The errors by which SES takes no more this second, or today. Others do not pass with time. */
const slowdowns: readonly string[] = ['TooManyRequestsException', 'LimitExceededException', 'ThrottlingException'];

/** Checks whether SES has refused an e-mail only because too many are being sent. */
export const isSlowdown = (error: unknown): boolean => error instanceof Error && slowdowns.includes(error.name);

/**
 * Hands an e-mail to SES, one message for each receiver, so that they do not see each other's addresses. Throws if SES refuses.
 * `replyTo`: where replies go, if not to the sender.
 */
export const sendEmail = async (to: string, { subject, text, html }: MailText, replyTo?: string): Promise<void> => {
  const content = (text: string) => ({ Data: maskCardNumbers(text), Charset: 'UTF-8' });
  await client.send(
    new SendEmailCommand({
      FromEmailAddress: requireVariable('MAIL_FROM'),
      Destination: { ToAddresses: [to] },
      ...(replyTo !== undefined && { ReplyToAddresses: [replyTo] }),
      Content: { Simple: { Subject: content(subject), Body: { Text: content(text), Html: content(html) } } },
    }),
  );
};
