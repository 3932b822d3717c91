import { milliseconds } from '#core/kernel/clock.ts';
import type { DisputesOf } from '../ports/account.ts';
import {
  type DisputeAnswer,
  type DisputeDone,
  type DisputePort,
  type DisputesAnswer,
  foundAndUnread,
  type ProcessorDispute,
  unreadableDispute,
} from '../ports/dispute.ts';
import { endlessList, type PartOfDisputes, readNewestPart, repeatsPage } from '../ports/dispute-parts.ts';
import { type JsonAnswer, troubleOfAnswer } from '../ports/json-exchange-client.ts';
import { disputeOfCheckoutCom, listedByCheckoutCom } from './checkout-com-disputes.ts';
import { postOfDispute, readStatus, submitToCheckoutCom } from './checkout-com-evidence-client.ts';
import { type AskCheckoutCom, askCheckout } from './checkout-com-exchange-client.ts';

/** Disputes of an account at Checkout.com. */
export const checkoutComDisputes = (ask: AskCheckoutCom): DisputePort => ({
  look: (reference) => readCheckoutDispute(ask, reference),
  // It lists by the time of the last change, so later changes of older disputes are included.
  since: (from, before) => since(ask, from, before),
  submit: (reference, evidence) => submitToCheckoutCom({ ask, reference }, evidence),
  accept: (reference) => acceptCheckout(ask, reference),
});

const unreadable = unreadableDispute('checkout.com');
const checkoutGap = (answer: JsonAnswer) => ({ unknown: troubleOfAnswer('checkout.com', answer).detail });

const readCheckoutDispute = async (ask: AskCheckoutCom, reference: string): Promise<DisputeAnswer> => {
  if (!/^dsp_\w{1,60}$/.test(reference)) return { found: null };
  const answer = await ask({ path: `/disputes/${reference}` });
  if ('failure' in answer || (answer.status !== 200 && answer.status !== 404)) return checkoutGap(answer);
  if (answer.status === 404) return { found: null };
  const found = disputeOfCheckoutCom(answer.body);
  return found ? { found } : unreadable;
};

const pageSize = 250;
const maxPages = 10;

type Query = Readonly<Record<string, string>>;

/** The disputes that match a query. The list may not say why a dispute was resolved, so its details are read. */
const listDisputes = async (ask: AskCheckoutCom, query: Query, isAll: boolean): Promise<PartOfDisputes> => {
  const all: { reference: string; dispute: ProcessorDispute | undefined }[] = [];
  for (let page = 0; page < maxPages || isAll; page += 1) {
    const search = new URLSearchParams({ ...query, limit: String(pageSize), skip: String(page * pageSize) });
    const answer = await ask({ path: `/disputes?${search}` });
    const listed = 'status' in answer && answer.status === 200 ? listedByCheckoutCom(answer.body) : undefined;
    if (!listed) return checkoutGap(answer);
    if (listed.length >= pageSize && repeatsPage(all, listed)) return endlessList('checkout.com');
    for (const { reference, isShort, item } of listed) {
      const one = isShort ? await readCheckoutDispute(ask, reference) : { found: disputeOfCheckoutCom(item) ?? null };
      if ('unknown' in one && one.unknown !== unreadable.unknown) return one;
      all.push({ reference, dispute: ('found' in one && one.found) || undefined });
    }
    if (listed.length < pageSize) return foundAndUnread('checkout.com', all);
  }
  return 'more';
};

/** The disputes of one payment. */
export const listCheckoutComDisputes = async (ask: AskCheckoutCom, query: Query): Promise<DisputesAnswer> => {
  const answer = await listDisputes(ask, query, true);
  return answer === 'more' ? { unknown: 'checkout.com: not reached' } : answer;
};

/** https://api-reference.checkout.com/#operation/getDisputes (2026-11-28): by the time of the last change. */
const since = (ask: AskCheckoutCom, from: string, before: string | undefined): Promise<DisputesAnswer> =>
  readNewestPart(from, { before, least: milliseconds.minute }, (period) =>
    listDisputes(ask, { from: period.from, ...(period.before !== undefined && { to: period.before }) }, period.isLeast),
  );

const acceptCheckout = async (ask: AskCheckoutCom, reference: string): Promise<DisputeDone> => {
  const before = await readStatus({ ask, reference });
  if (!('status' in before)) return before;
  if (before.status === 'accepted') return 'done';
  return postOfDispute({ ask, reference }, 'accept', 'accepted');
};

export const checkoutComDisputesOf: DisputesOf = ({ open }) => checkoutComDisputes(askCheckout(open('checkout_com')));
