import { createLetter, type Letter } from '../mail/letter.ts';
import type { AuditEntry } from './audit.ts';

/**
 * A call that can divert money, data or a secret, while it is made: its handler says what its merchant's managers need to know that the
 * call itself does not.
 */
export class Diversion {
  /** Addresses to notify in addition to the managers: those that the call has removed. */
  readonly formerAddresses: string[] = [];
  /** The merchant, if neither the call nor its reply names one. */
  mid: number | null = null;
  /** False if the call diverts nothing after all: no notice is sent. */
  isReal = true;

  /** Also notifies the addresses that the call has removed. */
  replaceAddresses(before: readonly string[], after: readonly string[]): void {
    this.formerAddresses.push(...before.filter((address) => address !== '' && !after.includes(address)));
  }
}

/** The notice about a call for the managers of a merchant. `summary`: the operation's. */
export const diversionMail = (summary: string, { at, by, sourceIp, sid, username, fields }: AuditEntry): Letter =>
  createLetter({
    subject: `Security notice: ${summary}`,
    kicker: 'Security notice',
    heading: summary,
    lead: 'A setting was changed that decides where money, data or secrets go. If you do not know of this change, check it in the dashboard now.',
    rows: [
      ['Changed by', by],
      ['Time', { at }],
      ['IP address', sourceIp],
      ['Site', sid === null ? '' : `#${sid}`],
      ['User', username ?? ''],
      ['Fields', fields.join(', ')],
    ],
    link: { path: '#/audit', words: 'Open the audit log' },
  });
