import { milliseconds } from '#core/kernel/clock.ts';
import type { DisputesOf } from '../ports/account.ts';
import {
  type DisputeAnswer,
  type DisputeDone,
  type DisputeEvidence,
  type DisputePort,
  type DisputesAnswer,
  foundAndUnread,
  type ProcessorDispute,
  unreadableDispute,
} from '../ports/dispute.ts';
import { endlessList, type PartOfDisputes, readNewestPart, repeatsPage } from '../ports/dispute-parts.ts';
import { failureOfDispute, type JsonAnswer, troubleOfAnswer } from '../ports/json-exchange-client.ts';
import { disputeOfPayPal, listedDisputes } from './paypal-disputes.ts';
import { needsLetter, payPalEvidence, payPalNoteOf } from './paypal-evidence.ts';
import { type AskPayPal, askPayPal } from './paypal-exchange-client.ts';
import { isAnswered, type PayPalResponse, responseOfPayPal } from './paypal-responses.ts';

/** Disputes of a PayPal account. */
export const payPalDisputes = (ask: AskPayPal): DisputePort => ({
  look: (reference) => readPayPalDispute(ask, reference),
  since: (from, before) => since(ask, from, before),
  submit: (reference, evidence) => submit(ask, reference, evidence),
  accept: (reference, idempotencyKey) => acceptAtPayPal(ask, reference, idempotencyKey),
});

const unreadable = unreadableDispute('paypal');
const payPalGap = (answer: JsonAnswer) => ({ unknown: troubleOfAnswer('paypal', answer).detail });

/** The answer for a reference that cannot be PayPal's is 404. */
const fetchDispute = async (ask: AskPayPal, reference: string): Promise<JsonAnswer> =>
  /^[A-Za-z\d-]{1,255}$/.test(reference)
    ? ask({ path: `/v1/customer/disputes/${reference}` })
    : { status: 404, body: undefined };

const readPayPalDispute = async (ask: AskPayPal, reference: string): Promise<DisputeAnswer> => {
  const answer = await fetchDispute(ask, reference);
  if ('failure' in answer || (answer.status !== 200 && answer.status !== 404)) return payPalGap(answer);
  if (answer.status === 404) return { found: null };
  const found = disputeOfPayPal(answer.body);
  return found ? { found } : unreadable;
};

const pageSize = 50;
const maxPages = 20;

/** At most this many are looked up, one call each, in a function's time. */
const maxResolved = 200;
type Query = Readonly<Record<string, string>>;
type Listed = NonNullable<ReturnType<typeof listedDisputes>>;

const listPages = async (
  ask: AskPayPal,
  query: Query,
  isAll: boolean,
): Promise<{ listed: Listed } | PartOfDisputes> => {
  const all: Listed[number][] = [];
  for (let page = 1; ; page += 1) {
    const search = new URLSearchParams({ ...query, page_size: String(pageSize), page: String(page) });
    const answer = await ask({ path: `/v1/customer/disputes?${search}` });
    const listed = 'status' in answer && answer.status === 200 ? listedDisputes(answer.body) : undefined;
    if (!listed) return payPalGap(answer);
    if (listed.length < pageSize) return { listed: [...all, ...listed] };
    if (repeatsPage(all, listed)) return endlessList('paypal');
    all.push(...listed);
    const isLong = page >= maxPages || all.filter(({ isResolved }) => isResolved).length > maxResolved;
    if (isLong && !isAll) return 'more';
  }
};

/** The disputes that match a query. The list has no outcomes, so each resolved one is looked up. */
const listDisputes = async (ask: AskPayPal, query: Query, isAll: boolean): Promise<PartOfDisputes> => {
  const pages = await listPages(ask, query, isAll);
  if (pages === 'more' || !('listed' in pages)) return pages;
  const listed: { reference: string; dispute: ProcessorDispute | undefined }[] = [];
  for (const { reference, isResolved, item } of pages.listed) {
    const one = isResolved ? await readPayPalDispute(ask, reference) : { found: disputeOfPayPal(item) ?? null };
    if ('unknown' in one && one.unknown !== unreadable.unknown) return one;
    listed.push({ reference, dispute: ('found' in one && one.found) || undefined });
  }
  return foundAndUnread('paypal', listed);
};

/** The disputes of one payment. */
export const listPayPalDisputes = async (ask: AskPayPal, query: Query): Promise<DisputesAnswer> => {
  const answer = await listDisputes(ask, query, true);
  return answer === 'more' ? { unknown: 'paypal: not reached' } : answer;
};

/** https://developer.paypal.com/docs/api/customer-disputes/v1/#disputes_list (2026-11-28): by the time of creation. */
const since = (ask: AskPayPal, from: string, before: string | undefined): Promise<DisputesAnswer> =>
  readNewestPart(from, { before, least: milliseconds.minute }, (period) =>
    listDisputes(
      ask,
      { create_time_after: period.from, ...(period.before !== undefined && { create_time_before: period.before }) },
      period.isLeast,
    ),
  );

type Response = { response: PayPalResponse } | Exclude<DisputeDone, 'done'>;

const fetchResponse = async (ask: AskPayPal, reference: string): Promise<Response> => {
  const answer = await fetchDispute(ask, reference);
  if (!('status' in answer) || answer.status !== 200) return failureOfDispute('paypal', answer);
  const response = responseOfPayPal(answer.body);
  return response ? { response } : unreadable;
};

/** Sends one change. If its answer is not a success, the dispute is read again, because an answer may have been lost. */
const changeAtPayPal = async (
  ask: AskPayPal,
  reference: string,
  request: { action: string; body: string | FormData; requestId?: string },
  isDone: (response: PayPalResponse) => boolean,
): Promise<DisputeDone> => {
  const { action, ...rest } = request;
  const answer = await ask({ method: 'POST', path: `/v1/customer/disputes/${reference}/${action}`, ...rest });
  if ('status' in answer && answer.status >= 200 && answer.status < 300) return 'done';
  const after = await fetchResponse(ask, reference);
  return 'response' in after && isDone(after.response) ? 'done' : failureOfDispute('paypal', answer);
};

const submit = async (ask: AskPayPal, reference: string, evidence: DisputeEvidence): Promise<DisputeDone> => {
  const before = await fetchResponse(ask, reference);
  if (!('response' in before)) return before;
  const isDone = (response: PayPalResponse) => isAnswered(response, payPalNoteOf(evidence));
  if (isDone(before.response)) return 'done';
  if (!before.response.actions.includes('provide-evidence'))
    return { refused: 'paypal accepts no evidence for this dispute now' };
  const letter = needsLetter(evidence) ? await evidence.renderLetter([], evidence.files) : undefined;
  if (letter && 'refused' in letter) return letter;
  const { pieces, files } = payPalEvidence(evidence, before.response.requested, letter?.bytes);
  const body = new FormData();
  body.append('input', new Blob([JSON.stringify({ evidences: pieces })], { type: 'application/json' }));
  for (const [index, { name, type, bytes }] of files.entries())
    body.append(`file${index + 1}`, new Blob([new Uint8Array(bytes)], { type }), name);
  return changeAtPayPal(ask, reference, { action: 'provide-evidence', body }, isDone);
};

/** PayPal refunds the buyer, which ends the dispute in the buyer's favor. */
const acceptAtPayPal = async (ask: AskPayPal, reference: string, requestId: string): Promise<DisputeDone> => {
  const before = await fetchResponse(ask, reference);
  if (!('response' in before)) return before;
  const { isAccepted, actions } = before.response;
  if (isAccepted) return 'done';
  if (!actions.includes('accept-claim')) return { refused: 'paypal does not let this dispute be accepted now' };
  const body = JSON.stringify({ note: 'The merchant accepts the claim.', accept_claim_type: 'REFUND' });
  return changeAtPayPal(ask, reference, { action: 'accept-claim', body, requestId }, (response) => response.isAccepted);
};

export const paypalDisputesOf: DisputesOf = ({ open }) => payPalDisputes(askPayPal(open('paypal')));
