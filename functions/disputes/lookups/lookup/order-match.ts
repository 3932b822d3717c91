import { maskCardNumbers } from '#core/kernel/card/card-numbers.ts';
import { milliseconds } from '#core/kernel/clock.ts';
import { normaliseDescriptor } from '#core/kernel/descriptor.ts';
import { parseAmount } from '#core/kernel/money/money.ts';
import { comparableAuthCode, statedArn } from '#disputes/matching/identifiers.ts';
import { chargedAmountOf } from '#payments/orders/charges/order-charges.ts';
import type { Order } from '#payments/orders/order.ts';

/** Which order a bank or a network asks about. Pure; works on a merchant's orders with the same first and last card digits. Never guesses. */

/** The fields of a question; those without a value are absent. */
export type OrderQuery = {
  /** 23 digits. */
  arn?: string | undefined;
  networkTransactionId?: string | undefined;
  authCode?: string | undefined;
  /** As it was written; ignored without a currency. */
  amount?: string | undefined;
  currency?: string | undefined;
  /** YYYY-MM-DD, perhaps with a time, in UTC. */
  date?: string | undefined;
  descriptor?: string | undefined;
  caid?: string | undefined;
};

/** The parts of an order that show whether it is the one. */
export type OrderCandidate = Pick<Order, 'orderId' | 'state' | 'content'>;

export type OrderMatch<C extends OrderCandidate> =
  | { found: 'one'; order: C; by: 'arn' | 'network' | 'auth_code' | 'points' }
  | { found: 'many' }
  | { found: 'none' };

/** An authorisation and its posting are reported on different days. */
const maxDays = 4;

const dayNumber = (date: string): number => Math.floor(Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / milliseconds.day);

/** UTC days between what was asked and an order's transaction; undefined where no date was asked. */
const daysApart = ({ date }: OrderQuery, { content }: OrderCandidate): number | undefined =>
  date === undefined ? undefined : Math.abs(dayNumber(date) - dayNumber(content.transaction_date));

const same = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one.toUpperCase() === other.toUpperCase();
const differ = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && !same(one, other);

const toMinor = (amount: string | undefined, currency: string | undefined): bigint | undefined => {
  const money = amount === undefined || currency === undefined ? 'none' : parseAmount(amount, currency);
  return typeof money === 'string' ? undefined : money.minor;
};

/** Checks whether both have the same amount; undefined if either has none. */
export const hasAmount = (asked: OrderQuery, { content }: OrderCandidate): boolean | undefined => {
  const wanted = toMinor(asked.amount, asked.currency);
  return wanted === undefined ? undefined : wanted === toMinor(chargedAmountOf(content), content.currency);
};

/** Numbers that identify a payment: fillers (`000000`) do not. */
const arnOf = (stated: string | undefined) => statedArn(stated ?? null);
const codeOf = (stated: string | undefined) => comparableAuthCode(stated ?? null);
const hasArn = (asked: OrderQuery, { content }: OrderCandidate) => same(arnOf(asked.arn), arnOf(content.arn));
/** The network's reference as look-ups have it, in which what looks like a card number is masked. */
const maskedReference = (reference: string | undefined): string | undefined =>
  reference === undefined ? undefined : maskCardNumbers(reference);
const hasReference = (asked: OrderQuery, { content }: OrderCandidate) =>
  same(maskedReference(asked.networkTransactionId), maskedReference(content.network_transaction_id));

/** Split shipments and tips change the amount of a payment that one of these two numbers identifies. */
const mayDiffer = (asked: OrderQuery, candidate: OrderCandidate) =>
  hasArn(asked, candidate) || hasReference(asked, candidate);

const isPossible =
  (asked: OrderQuery) =>
  (candidate: OrderCandidate): boolean => {
    const { state, content } = candidate;
    if (state !== 'paid' || (daysApart(asked, candidate) ?? 0) > maxDays) return false;
    if (differ(arnOf(asked.arn), arnOf(content.arn))) return false;
    if (differ(codeOf(asked.authCode), codeOf(content.auth_code))) return false;
    if (differ(maskedReference(asked.networkTransactionId), maskedReference(content.network_transaction_id)))
      return false;
    if (differ(asked.currency, content.currency)) return false;
    return hasAmount(asked, candidate) !== false || mayDiffer(asked, candidate);
  };

const pointsOfDay = [30, 20, 5, 5, 5] as const;
const startLength = 6;

const descriptorPoints = (asked: string | undefined, own: string | undefined): number => {
  const [one, other] = [normaliseDescriptor(asked ?? ''), normaliseDescriptor(own ?? '')];
  if (one === '' || other === '') return 0;
  if (one === other) return 20;
  const isLong = one.length >= startLength && other.length >= startLength;
  return isLong && one.slice(0, startLength) === other.slice(0, startLength) ? 10 : 0;
};

/** Returns how strongly an order matches that no number identifies; 0 without the same amount and a near day. */
export const ratePoints = (asked: OrderQuery, candidate: OrderCandidate): number => {
  const days = daysApart(asked, candidate);
  if (days === undefined || hasAmount(asked, candidate) !== true) return 0;
  const { descriptor, caid } = candidate.content;
  return (
    40 + (pointsOfDay[days] ?? 0) + descriptorPoints(asked.descriptor, descriptor) + (same(asked.caid, caid) ? 10 : 0)
  );
};

const enough = 70;
const lead = 30;

const byPoints = <C extends OrderCandidate>(asked: OrderQuery, candidates: readonly C[]): OrderMatch<C> => {
  const [best, ...others] = candidates
    .map((order) => ({ order, points: ratePoints(asked, order) }))
    .sort((one, other) => other.points - one.points);
  if (!best || best.points < enough) return { found: 'none' };
  const second = others.find(({ order }) => order.orderId !== best.order.orderId);
  const isClear = (second?.points ?? 0) <= best.points - lead;
  return isClear ? { found: 'one', order: best.order, by: 'points' } : { found: 'many' };
};

/** The certain matches, strongest first. The last one needs the whole list: there may be a second order outside the part that was read. */
const certainMatches = [
  { by: 'arn', isMatch: hasArn, needsAll: false },
  { by: 'network', isMatch: hasReference, needsAll: false },
  {
    by: 'auth_code',
    isMatch: (asked: OrderQuery, candidate: OrderCandidate) =>
      same(codeOf(asked.authCode), codeOf(candidate.content.auth_code)) && hasAmount(asked, candidate) === true,
    needsAll: true,
  },
] as const;

/**
 * The order that is asked about, if exactly one can be meant. Orders with another reference number, code or currency than
 * asked are ruled out; so are those with another amount, unless a number identifies the payment. `isWhole`: the orders are all there
 * are near the date; otherwise only an identifier of one payment decides. An order may be among them once for each of its charges.
 */
export const matchOrder = <C extends OrderCandidate>(
  asked: OrderQuery,
  orders: readonly C[],
  isWhole: boolean,
): OrderMatch<C> => {
  const candidates = orders.filter(isPossible(asked));
  for (const { by, isMatch, needsAll } of certainMatches) {
    const [order, ...rest] = candidates.filter((candidate) => isMatch(asked, candidate));
    if (!order) continue;
    const more = rest.filter(({ orderId }) => orderId !== order.orderId);
    return more.length === 0 && (isWhole || !needsAll) ? { found: 'one', order, by } : { found: 'many' };
  }
  const match = byPoints(asked, candidates);
  return match.found === 'one' && !isWhole ? { found: 'many' } : match;
};
