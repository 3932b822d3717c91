import { nowIso } from '#core/kernel/clock.ts';
import { randomText } from '#core/kernel/ids.ts';
import { log } from '#core/platform/log/log.ts';
import type { Letter } from '#core/platform/mail/letter.ts';
import { writeLetter } from '#core/platform/mail/letter-text.ts';
import { deriveLinkToken } from '#core/platform/mail/link-token.ts';
import type { Mail } from '#core/platform/mail/mail.ts';
import { isSlowdown, sendEmail } from '#core/platform/mail/mail-client.ts';
import { mailDue } from '#core/platform/mail/mail-due.ts';
import type { Attachment, MailText } from '#core/platform/mail/mail-text.ts';
import { optional } from '#core/platform/operation/environment.ts';
import { RetryLaterError } from '#core/platform/operation/worker.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { spreadDelay } from '#core/platform/work/delay.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { noteMailAddress } from './mail-address-flow.ts';
import { finishMail, leaseMail, releaseMail } from './mail-store.ts';
import { type PushPort, type PushReader, showOnDevices } from './push-flow.ts';

/** A letter as it is sent, perhaps with a file. */
export type SentLetter = Letter & { attachment?: Attachment };

/** Returns the content of an e-mail whose row has none, because it is taken from its subject when it is sent. */
export type FindLetter = (mail: Mail) => Promise<SentLetter>;

/**
 * A user of a merchant, as far as e-mails are concerned. `zone`: the time zone that they have chosen; null: none. `hasDigest`: they get one
 * e-mail a day about alerts.
 */
export type MailReader = PushReader & { email: string; role: string | null; zone: string | null; hasDigest: boolean };

/** The users of a merchant who may sign in. */
export type FindReaders = (mid: number) => Promise<readonly MailReader[]>;

type Port = PushPort & { findLetter: FindLetter; findReaders: FindReaders };

/** The letter of an e-mail, its link with the token. */
const findWholeLetter = async (mail: Mail, port: Port): Promise<SentLetter> => {
  const letter: SentLetter = mail.letter ?? (await port.findLetter(mail));
  if (!letter.link || !mail.linkSeed) return letter;
  const token = deriveLinkToken(await keyRing('encryption'), mail.linkSeed);
  return { ...letter, link: { ...letter.link, path: `${letter.link.path}${token}` } };
};

const findDashboard = ({ baseUrl }: Mail): string | null =>
  optional('DASHBOARD_URL') || (baseUrl === undefined ? null : `${baseUrl}/dashboard`);

/** Returns the text of a letter for each address: in the time zone of the user who has it. */
const lettersFor = (letter: SentLetter, readers: readonly MailReader[], dashboard: string | null) => {
  const now = nowIso();
  return (address: string): MailText => {
    const zone = readers.find(({ email, zone: chosen }) => email === address && chosen !== null)?.zone ?? null;
    const written = writeLetter(letter, { zone, now }, dashboard);
    return { ...written, ...(letter.attachment && { attachment: letter.attachment }) };
  };
};

/** E-mails that the daily digest replaces. Warnings of deadlines cannot wait a day, and what is addressed to one person is not in it. */
const inDigest: readonly Mail['kind'][] = ['new_alert', 'alert_changed', 'alert_review'];

/** The users who get this in their digest. */
const digestReaders = ({ kind }: Mail, readers: readonly MailReader[]): MailReader[] =>
  inDigest.includes(kind) ? readers.filter(({ hasDigest }) => hasDigest) : [];

/** The addresses of users who get this in their digest. An address that two users share is not one of them unless both do. */
const digestAddresses = (mail: Mail, readers: readonly MailReader[]): Set<string> => {
  const others = new Set(readers.filter(({ hasDigest }) => !hasDigest).map(({ email }) => email));
  const addresses = digestReaders(mail, readers).map(({ email }) => email);
  return new Set(addresses.filter((email) => !others.has(email)));
};

const managerAddresses = (readers: readonly MailReader[]): string[] =>
  readers.filter(({ role, email }) => role === 'manager' && email !== '').map(({ email }) => email);

/** `sentTo`: who has it now. `shownOn`: the devices that have it. `failures`: why the others do not. `tried`: each address of this time. */
type Sending = {
  sentTo: string[];
  shownOn: string[];
  failures: unknown[];
  tried: { address: string; refusal: unknown }[];
};

/** Sends to each recipient who does not have it yet, and shows it on their devices. */
const sendToAll = async (mail: Mail, port: Port): Promise<Sending> => {
  const { sentTo, replyTo, text } = mail;
  const readers = mail.toManagers || text === null ? await port.findReaders(mail.mid) : [];
  const to = [...new Set([...mail.to, ...(mail.toManagers ? managerAddresses(readers) : [])])];
  const letter = text === null ? await findWholeLetter(mail, port) : undefined;
  const textFor = letter ? lettersFor(letter, readers, findDashboard(mail)) : () => text as MailText;
  const waiting = digestAddresses(mail, readers);
  const missing = to.filter((address) => !sentTo.includes(address) && !waiting.has(address));
  const digested = digestReaders(mail, readers);
  const shown = readers.filter((reader) => to.includes(reader.email) && !digested.includes(reader));
  const [devices, results] = await Promise.all([
    letter ? showOnDevices(mail, letter, shown, port) : [],
    Promise.allSettled(missing.map((address) => sendEmail(address, textFor(address), replyTo))),
  ]);
  return {
    sentTo: [...sentTo, ...missing.filter((_, index) => results[index]?.status === 'fulfilled')],
    shownOn: [...(mail.shownOn ?? []), ...devices],
    failures: results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])),
    tried: missing.map((address, index) => {
      const result = results[index];
      return { address, refusal: result?.status === 'rejected' ? result.reason : null };
    }),
  };
};

/** Called after the state of the e-mail is recorded, so that a worker that is cut off here sends no second one. */
const noteAll = async (tried: Sending['tried']): Promise<void> => {
  await Promise.all(tried.map(({ address, refusal }) => noteMailAddress(address, refusal)));
};

/** Another worker is sending this e-mail: its message must be redelivered, in case that worker is cut off. */
class MailInProgressError extends RetryLaterError {
  override readonly name = 'MailInProgressError';
}

/**
 * Sends a pending e-mail to those who do not have it yet; an expired one is given up. Throws while another worker is sending it,
 * and if a recipient could not be reached: its message is then redelivered.
 */
export const sendMail = async (mailId: string, port: Port): Promise<void> => {
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
  const { sentTo, shownOn, failures, tried } = await sendToAll(mail, port);
  if (failures.length === 0) {
    await finishMail(mailId, 'SENT');
    log('info', 'mail_sent', { mailId, alertId: mail.alertId ?? undefined, kind: mail.kind, receivers: sentTo.length });
    await noteAll(tried);
  } else {
    await releaseMail(mailId, attemptId, { sentTo, shownOn });
    await noteAll(tried);
    // A new message, because nothing has failed: otherwise a burst would end in the dead letters after five tries.
    if (failures.every(isSlowdown)) return sendOrThrow([mailDue.message({ mailId }, spreadDelay(attemptId))]);
    throw new Error(`${mailId} did not reach ${failures.length} receivers`, {
      cause: failures[0],
    });
  }
};
