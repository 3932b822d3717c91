import { GetSuppressedDestinationCommand, SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { maskCardNumbers } from '#core/kernel/card/card-numbers.ts';
import { requireVariable } from '../operation/environment.ts';
import { clientSettings } from '../table/aws.ts';
import type { MailFault } from './mail-address.ts';
import type { Attachment, MailText } from './mail-text.ts';

const client = new SESv2Client(clientSettings);

/** The errors by which SES takes no more this second, or today. Others do not pass with time. */
const slowdowns: readonly string[] = ['TooManyRequestsException', 'LimitExceededException', 'ThrottlingException'];

/** Checks whether SES has refused an e-mail only because too many are being sent. */
export const isSlowdown = (error: unknown): boolean => error instanceof Error && slowdowns.includes(error.name);

/**
 * Hands an e-mail to SES, one message for each receiver, so that they do not see each other's addresses. Throws if SES refuses.
 * `replyTo`: where replies go, if not to the sender.
 * @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_Attachment.html
 */
export const sendEmail = async (
  to: string,
  { subject, text, html, attachment }: MailText,
  replyTo?: string,
): Promise<void> => {
  const content = (text: string) => ({ Data: maskCardNumbers(text), Charset: 'UTF-8' });
  await client.send(
    new SendEmailCommand({
      FromEmailAddress: requireVariable('MAIL_FROM'),
      Destination: { ToAddresses: [to] },
      ...(replyTo !== undefined && { ReplyToAddresses: [replyTo] }),
      Content: {
        Simple: {
          Subject: content(subject),
          Body: { Text: content(text), Html: content(html) },
          ...(attachment && { Attachments: [toAttachment(attachment)] }),
        },
      },
    }),
  );
};

/** Without an encoding, SES takes the bytes for text of seven bits, which would damage a PDF. */
const toAttachment = ({ name, type, bytes }: Attachment) => ({
  ...{ FileName: name, ContentType: type, RawContent: bytes },
  ...({ ContentDisposition: 'ATTACHMENT', ContentTransferEncoding: 'BASE64' } as const),
});

/** The errors by which SES does not take an e-mail to an address, however often it is tried. */
const refusals: readonly string[] = ['MessageRejected', 'BadRequestException'];

/** Checks whether SES has refused an e-mail for what it is, or to whom it goes. */
export const isRefusal = (error: unknown): boolean => error instanceof Error && refusals.includes(error.name);

/**
 * Why SES delivers nothing to an address: it is on the account's suppression list. Null if it is not.
 * @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetSuppressedDestination.html
 */
export const findSuppression = async (EmailAddress: string): Promise<MailFault | null> => {
  try {
    const found = (await client.send(new GetSuppressedDestinationCommand({ EmailAddress }))).SuppressedDestination;
    if (!found?.LastUpdateTime) return null;
    return { reason: found.Reason === 'COMPLAINT' ? 'complained' : 'bounced', at: found.LastUpdateTime.toISOString() };
  } catch (error) {
    if (error instanceof Error && error.name === 'NotFoundException') return null;
    throw error;
  }
};
