import { iso, milliseconds } from '#core/kernel/clock.ts';
import type { ChargePage, ChargeSpan, ConnectionTrouble } from '../ports/connected-processor.ts';
import { troubleOfAnswer } from '../ports/json-exchange-client.ts';
import { readCheckoutComList } from './checkout-com-charges.ts';
import type { AskCheckoutCom } from './checkout-com-exchange-client.ts';

/**
 * Lists the payments of a span. How to request the following page of a search is not documented, so a span is searched in parts that have
 * less than a page: https://www.checkout.com/docs/payments/manage-payments/search-and-filter-payments
 */

/** A search returns 10 payments by default and 1000 at most. */
const pageSize = 100;

/** A search needs a query; every payment fits this one. */
const query = 'amount:>=0';

const shortest = milliseconds.second;

/** A part of a span: when it begins, and how long it is if the span does not end before. */
type Part = { from: number; length: number };

const toCursor = ({ from, length }: Part): string => `${iso(from)}/${length}`;

/** The part that a cursor names; the whole span without one. */
const listPart = ({ from, to }: ChargeSpan, cursor: string | null): Part => {
  const start = Date.parse(from);
  if (cursor === null) return { from: start, length: Date.parse(to) - start };
  const [at = from, length = ''] = cursor.split('/');
  return { from: Date.parse(at), length: Number(length) };
};

/** A quarter of a part, in whole seconds. */
const quarter = ({ from, length }: Part): Part => ({
  from,
  length: Math.max(shortest, Math.floor(length / 4 / shortest) * shortest),
});

/** A page for each part; an empty one for a part that has more than a page, which is searched again as a shorter part. */
export const listCheckoutComCharges = async (
  ask: AskCheckoutCom,
  span: ChargeSpan,
  cursor: string | null,
): Promise<ChargePage | ConnectionTrouble> => {
  const part = listPart(span, cursor);
  const [from, to] = [iso(part.from), iso(Math.min(part.from + part.length, Date.parse(span.to)))];
  const answer = await ask({ path: '/payments/search', body: { query, limit: pageSize, from, to } });
  const found = 'status' in answer && answer.status === 200 ? readCheckoutComList(answer.body) : undefined;
  if (!found) return troubleOfAnswer('checkout.com', answer);
  if (found.hasMore || found.count >= pageSize) {
    if (part.length > shortest) return { charges: [], next: toCursor(quarter(part)) };
    return { problem: 'too_many', detail: 'checkout.com has too many payments in one second' };
  }
  // A payment on the border of two parts belongs to the later one.
  const charges = found.charges.filter(({ date }) => date >= from && date < to);
  const length = found.count < pageSize / 4 ? part.length * 2 : part.length;
  return { charges, next: to < iso(Date.parse(span.to)) ? toCursor({ from: Date.parse(to), length }) : null };
};
