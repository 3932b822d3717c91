import { nowIso } from '#core/kernel/clock.ts';
import { randomText } from '#core/kernel/ids.ts';
import { log } from '#core/platform/log/log.ts';
import type { Mail } from '#core/platform/mail/mail.ts';
import { isSlowdown, sendEmail } from '#core/platform/mail/mail-client.ts';
import { mailDue } from '#core/platform/mail/mail-due.ts';
import type { MailText } from '#core/platform/mail/mail-text.ts';
import { RetryLaterError } from '#core/platform/operation/worker.ts';
import { spreadDelay } from '#core/platform/work/delay.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { finishMail, leaseMail, releaseMail } from './mail-store.ts';

/** Writes an e-mail whose row has no text of its own, because it is written when it is sent. */
export type WriteText = (mail: Mail) => Promise<MailText>;

/** The addresses of a merchant's managers. */
export type FindManagers = (mid: number) => Promise<readonly string[]>;

/** Sends to each recipient who does not have it yet; returns who has it now and why the others do not. */
const sendToAll = async (
  mail: Mail,
  writeText: WriteText,
  findManagers: FindManagers,
): Promise<{ sentTo: string[]; failures: unknown[] }> => {
  const { sentTo, replyTo } = mail;
  const to = [...new Set([...mail.to, ...(mail.toManagers ? await findManagers(mail.mid) : [])])];
  const text = mail.text ?? (await writeText(mail));
  const missing = to.filter((address) => !sentTo.includes(address));
  const results = await Promise.allSettled(missing.map((address) => sendEmail(address, text, replyTo)));
  return {
    sentTo: [...sentTo, ...missing.filter((_, index) => results[index]?.status === 'fulfilled')],
    failures: results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])),
  };
};

/** Another worker is sending this e-mail: its message must be redelivered, in case that worker is cut off. */
class MailInProgressError extends RetryLaterError {
  override readonly name = 'MailInProgressError';
}

/**
 * Sends a pending e-mail to those who do not have it yet; an expired one is given up. Throws while another worker is sending it,
 * and if a recipient could not be reached: its message is then redelivered.
 */
export const sendMail = async (mailId: string, writeText: WriteText, findManagers: FindManagers): Promise<void> => {
  const attemptId = randomText(16);
  const acquired = await leaseMail(mailId, attemptId);
  if (acquired.kind === 'busy') throw new MailInProgressError(mailId);
  if (acquired.kind === 'nothing') return;
  const { mail } = acquired;
  if (nowIso() > mail.expiresAt) {
    log('error', 'mail_given_up', { mailId, sid: mail.sid });
    await finishMail(mailId, 'FAILED');
    return;
  }
  const { sentTo, failures } = await sendToAll(mail, writeText, findManagers);
  if (failures.length === 0) {
    await finishMail(mailId, 'SENT');
    log('info', 'mail_sent', { mailId, alertId: mail.alertId ?? undefined, kind: mail.kind, receivers: sentTo.length });
  } else {
    await releaseMail(mailId, attemptId, sentTo);
    // A new message, because nothing has failed: otherwise a burst would end in the dead letters after five tries.
    if (failures.every(isSlowdown)) return sendOrThrow([mailDue.message({ mailId }, spreadDelay(attemptId))]);
    throw new Error(`${mailId} did not reach ${failures.length} receivers`, {
      cause: failures[0],
    });
  }
};
