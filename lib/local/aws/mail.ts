import { randomUUID } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as v from 'valibot';
import type { Clock } from '../clock.ts';
import { type State, text } from '../state.ts';
import { AwsError, type AwsService, parseInput } from './aws-server.ts';

const addresses = v.optional(v.array(v.string()), []);
const Content = v.object({ Data: v.string() });

/** https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_Attachment.html; a PDF does not survive an encoding in seven bits, the default. */
const Attachment = v.object({
  FileName: v.pipe(v.string(), v.minLength(1), v.maxLength(255), v.regex(/\.pdf$/)),
  RawContent: v.pipe(v.string(), v.base64()),
  ContentType: v.literal('application/pdf'),
  ContentDisposition: v.optional(v.picklist(['ATTACHMENT', 'INLINE'])),
  ContentTransferEncoding: v.literal('BASE64'),
});

/** The part of SES v2's SendEmail that the service may use: simple content, and PDF files. */
const SendEmail = v.object({
  FromEmailAddress: v.string(),
  ReplyToAddresses: addresses,
  Destination: v.object({ ToAddresses: addresses, CcAddresses: addresses, BccAddresses: addresses }),
  Content: v.object({
    Simple: v.object({
      Subject: Content,
      Body: v.object({ Text: v.optional(Content), Html: v.optional(Content) }),
      Attachments: v.optional(v.array(Attachment), []),
      Headers: v.optional(v.array(v.object({ Name: v.string(), Value: v.string() })), []),
    }),
  }),
});

/** One mail as it would have gone out. */
export type SentMail = {
  id: string;
  time: string;
  from: string;
  to: readonly string[];
  cc: readonly string[];
  bcc: readonly string[];
  replyTo: readonly string[];
  subject: string;
  text: string | null;
  html: string | null;
  headers: Readonly<Record<string, string>>;
  /** `content`: in base 64. Mails of earlier data folders have none. */
  attachments?: readonly { name: string; content: string }[];
};

export type Mailbox = { service: AwsService; list(): SentMail[]; clear(): void };

const schema = 'CREATE TABLE IF NOT EXISTS mails (id INTEGER PRIMARY KEY AUTOINCREMENT, mail TEXT NOT NULL) STRICT';

/**
 * Takes what the service mails and keeps it. As SES does, it sends only from identities of the stack (a domain or an
 * address) and only to what looks like an address.
 */
export const openMailbox = (state: State, clock: Clock, identities: readonly string[]): Mailbox => {
  state.database.exec(schema);
  const insert = state.database.prepare('INSERT INTO mails (mail) VALUES (?)');
  const all = state.database.prepare('SELECT mail FROM mails ORDER BY id');
  const clear = state.database.prepare('DELETE FROM mails');
  return {
    list: () => all.all().map((row) => mailIn(text(row, 'mail'))),
    clear: () => void clear.run(),
    service: ({ method, path, body }) => {
      const [, , list, kind, address = ''] = path;
      if (method === 'GET' && list === 'suppression' && kind === 'addresses')
        return findSuppressed(address, clock.now());
      if (method !== 'POST' || path.join('/') !== 'v2/email/outbound-emails') {
        throw new AwsError('NotFoundException', `The local stack does not know SES ${method} ${path.join('/')}.`, 404);
      }
      const mail = toMail(parseInput(SendEmail, body), clock.now());
      refuseBadAddresses(mail, identities);
      insert.run(deflateRawSync(JSON.stringify(mail)).toString('base64'));
      return { MessageId: mail.id };
    },
  };
};

/** Addresses at these domains bounce or complain, so that it can be tried what people see then. */
const unreachable: Readonly<Record<string, string>> = { 'bounce.example': 'BOUNCE', 'complaint.example': 'COMPLAINT' };

/** https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetSuppressedDestination.html */
const findSuppressed = (address: string, now: number) => {
  const Reason = unreachable[address.toLowerCase().split('@')[1] ?? ''];
  if (Reason === undefined) {
    throw new AwsError('NotFoundException', `Email address ${address} does not exist on your suppression list.`, 404);
  }
  return { SuppressedDestination: { EmailAddress: address, Reason, LastUpdateTime: now / 1000 } };
};

/** A mail as it is kept: compressed, to a quarter. Those of data folders from before are JSON. */
const mailIn = (kept: string): SentMail =>
  JSON.parse(kept.startsWith('{') ? kept : inflateRawSync(Buffer.from(kept, 'base64')).toString());

const toMail = (request: v.InferOutput<typeof SendEmail>, now: number): SentMail => {
  const { Subject, Body, Headers, Attachments } = request.Content.Simple;
  return {
    id: randomUUID(),
    time: new Date(now).toISOString(),
    from: request.FromEmailAddress,
    to: request.Destination.ToAddresses,
    cc: request.Destination.CcAddresses,
    bcc: request.Destination.BccAddresses,
    replyTo: request.ReplyToAddresses,
    subject: Subject.Data,
    text: Body.Text?.Data ?? null,
    html: Body.Html?.Data ?? null,
    headers: Object.fromEntries(Headers.map(({ Name, Value }) => [Name, Value])),
    attachments: Attachments.map(({ FileName, RawContent }) => ({ name: FileName, content: RawContent })),
  };
};

const refuseBadAddresses = (mail: SentMail, identities: readonly string[]): void => {
  const recipients = [...mail.to, ...mail.cc, ...mail.bcc];
  if (recipients.length === 0 || recipients.length > 50) {
    throw new AwsError('BadRequestException', 'A mail goes to 1 to 50 recipients.');
  }
  const wrong = [mail.from, ...mail.replyTo, ...recipients].find(
    (address) => !/^[^\s@,;]+@[^\s@,;]+$/.test(bare(address)),
  );
  if (wrong !== undefined) throw new AwsError('BadRequestException', `Invalid address ${wrong}.`);
  if (mail.text === null && mail.html === null) throw new AwsError('BadRequestException', 'The mail has no body.');
  const [, domain] = bare(mail.from).split('@');
  if (identities.some((identity) => identity === domain || identity === bare(mail.from))) return;
  throw new AwsError('MessageRejected', `Email address is not verified: ${mail.from}.`);
};

/** The address in `Name <address>`. */
const bare = (address: string): string => /<([^<>]*)>\s*$/.exec(address)?.[1] ?? address.trim();
