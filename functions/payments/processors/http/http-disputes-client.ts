import * as v from 'valibot';
import { milliseconds } from '#core/kernel/clock.ts';
import type { DisputesOf } from '../ports/account.ts';
import type { DisputeAnswer, DisputePort, ProcessorDispute, UnreadDispute } from '../ports/dispute.ts';
import { type DisputePeriod, endlessList, type PartOfDisputes, readNewestPart } from '../ports/dispute-parts.ts';
import { DisputesPage, readServiceDisputes } from './http-disputes.ts';
import { type HttpAnswer, type HttpKeys, postToService } from './http-exchange-client.ts';
import { describeIssues } from './http-messages.ts';

/**
 * Disputes of a merchant's own service. A service that does not offer the call returns 404 or 405, and has none. After a page that it
 * answered, or a part, the same status is a failure.
 */
export const httpDisputes = (keys: HttpKeys): DisputePort => ({
  look: (reference) => readHttpDispute(keys, reference),
  since: (from, before) => {
    const heard = { isOffered: before !== undefined };
    return readNewestPart(from, { before, least: milliseconds.hour }, (period) => readPeriod(keys, period, heard));
  },
});

const isNotOffered = (answer: HttpAnswer): boolean =>
  'status' in answer && (answer.status === 404 || answer.status === 405);

type Page = ReturnType<typeof readServiceDisputes> & { next: string | null };

const readPage = (answer: HttpAnswer): Page | { unknown: string } => {
  if ('failure' in answer) return { unknown: answer.detail };
  if (answer.status !== 200) return { unknown: `The service answered /disputes with ${answer.status}.` };
  const body = Array.isArray(answer.body) ? { disputes: answer.body } : answer.body;
  const { success, output, issues } = v.safeParse(DisputesPage, body);
  if (!success)
    return { unknown: `The answer to /disputes could not be read: ${answer.noJson ?? describeIssues(issues)}.` };
  return { ...readServiceDisputes(output.disputes), next: output.next_cursor };
};

const readHttpDispute = async (keys: HttpKeys, reference: string): Promise<DisputeAnswer> => {
  const answer = await postToService(keys, '/disputes', { reference });
  if (isNotOffered(answer)) return { found: null };
  const page = readPage(answer);
  if ('unknown' in page) return page;
  const found = page.disputes.find((one) => one.reference === reference);
  const unread = page.unreadable.find((one) => one.reference === reference || one.reference === '');
  return !found && unread ? { unknown: unread.words } : { found: found ?? null };
};

/** The number of pages that a call reads: more would outlast a function. */
const maxPages = 10;
/** The same of a period that is not divided further. */
const maxLeastPages = 50;

/** `heard`: whether the service has answered the call before; set here. */
const readPeriod = async (
  keys: HttpKeys,
  { from, before, isLeast }: DisputePeriod,
  heard: { isOffered: boolean },
): Promise<PartOfDisputes> => {
  const found: ProcessorDispute[] = [];
  const unread: UnreadDispute[] = [];
  let cursor: string | null = null;
  for (let count = 0; count < (isLeast ? maxLeastPages : maxPages); count += 1) {
    const answer = await postToService(keys, '/disputes', { from, to: before ?? null, cursor });
    if (isNotOffered(answer) && !heard.isOffered) return { found: [], isOffered: false };
    const page = readPage(answer);
    if ('unknown' in page) return page;
    heard.isOffered = true;
    found.push(...page.disputes);
    unread.push(...page.unreadable);
    if (page.next !== null && page.next === cursor) return endlessList('The service');
    if (page.next === null) return { found, ...(unread.length > 0 && { unread }) };
    cursor = page.next;
  }
  return isLeast ? { unknown: 'The service has too many disputes of one hour.' } : 'more';
};

export const httpDisputesOf: DisputesOf = ({ open }) => httpDisputes(open('http'));
