import type { DisputesOf } from '../ports/account.ts';
import type { DisputeAnswer, DisputePort, DisputesAnswer, ProcessorDispute } from '../ports/dispute.ts';
import { type JsonAnswer, troubleOfAnswer } from '../ports/json-exchange-client.ts';
import { disputeOfPayPal, listedDisputes } from './paypal-disputes.ts';
import { type AskPayPal, payPalOf } from './paypal-exchange-client.ts';

/** Disputes of a PayPal account. They are contested and accepted at PayPal. */
const payPalDisputes = (ask: AskPayPal): DisputePort => ({
  look: (reference) => look(ask, reference),
  since: (from) => listPayPalDisputes(ask, { create_time_after: from }),
});

const unknownWords = 'paypal tells of a dispute in words that are not known';
const unknownOf = (answer: JsonAnswer) => ({ unknown: troubleOfAnswer('paypal', answer).detail });

const look = async (ask: AskPayPal, reference: string): Promise<DisputeAnswer> => {
  if (!/^[A-Za-z\d-]{1,255}$/.test(reference)) return { found: null };
  const answer = await ask({ path: `/v1/customer/disputes/${reference}` });
  if ('failure' in answer || (answer.status !== 200 && answer.status !== 404)) return unknownOf(answer);
  if (answer.status === 404) return { found: null };
  const found = disputeOfPayPal(answer.body);
  return found ? { found } : { unknown: unknownWords };
};

const pageSize = 50;
const maxPages = 20;

/** The disputes that match a query. The list has no outcomes, so each resolved one is looked up. */
export const listPayPalDisputes = async (
  ask: AskPayPal,
  query: Readonly<Record<string, string>>,
): Promise<DisputesAnswer> => {
  const found: ProcessorDispute[] = [];
  for (let page = 1; page <= maxPages; page += 1) {
    const search = new URLSearchParams({ ...query, page_size: String(pageSize), page: String(page) });
    const answer = await ask({ path: `/v1/customer/disputes?${search}` });
    const listed = 'status' in answer && answer.status === 200 ? listedDisputes(answer.body) : undefined;
    if (!listed) return unknownOf(answer);
    for (const { reference, isResolved, item } of listed) {
      const one = isResolved ? await look(ask, reference) : { found: disputeOfPayPal(item) ?? null };
      if ('unknown' in one && one.unknown !== unknownWords) return one;
      if ('found' in one && one.found) found.push(one.found);
    }
    if (listed.length < pageSize) return { found };
  }
  return { unknown: 'paypal has too many disputes that fit' };
};

export const paypalDisputesOf: DisputesOf = ({ open }) => payPalDisputes(payPalOf(open('paypal')));
