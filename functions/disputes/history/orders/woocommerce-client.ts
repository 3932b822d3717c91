import * as v from 'valibot';
import { nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import { beginsOtherwise, parseJson } from '#core/platform/http/json.ts';
import type { GuardedAnswer } from '#core/platform/post/guarded-call-client.ts';
import type { SourcePosition, SourceTrouble } from '#payments/orders/source/order-source.ts';
import { askWooWith, type WooKeys } from '#payments/orders/source/woocommerce-exchange-client.ts';
import {
  lastChangeOf,
  nextAfter,
  type RefundsUnread,
  readShopOrders,
  type ShopOrder,
  type ShopPage,
  type ShopPort,
} from './shop-order.ts';
import {
  groupWooRefunds,
  largerRefunds,
  listOfWoo,
  readWooOrder,
  readWooRefunds,
  withWooRefunds,
  wooOrderFields,
} from './woocommerce-order.ts';

/** `per_page` is at most 100. */
export const wooOrdersPerPage = 50;

/** The number of orders of one second after which a list counts as endless. */
const maxOffset = 20_000;

/** The time as WooCommerce reads it with `dates_are_gmt`: a zone would be converted to that of the shop. */
const gmtTime = (at: string): string => at.slice(0, 'YYYY-MM-DDThh:mm:ss'.length);

type WooAnswer = Exclude<GuardedAnswer, { failure: string }>;

/** Seconds, or a date: https://www.rfc-editor.org/rfc/rfc9110#field.retry-after */
const waitTime = ({ headers: { 'retry-after': text = '' } }: WooAnswer): { retryAfterSeconds?: number } => {
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - nowMilliseconds()) / 1000;
  return seconds > 0 ? { retryAfterSeconds: Math.ceil(seconds) } : {};
};

const wooFault = (answer: GuardedAnswer): SourceTrouble => {
  if ('failure' in answer) return { trouble: `The shop did not answer: ${answer.detail}.` };
  const { status } = answer;
  const after = waitTime(answer);
  if (status === 401 || status === 403) return { trouble: `The shop refused the keys (${status}).`, ...after };
  if (status === 404) return { trouble: 'There is no REST API of WooCommerce at the address of the shop (404).' };
  if (status === 429) return { trouble: 'The shop receives too many requests (429).', ...after };
  return { trouble: `The shop answered with status ${status}.`, ...after };
};

const otherAnswer: SourceTrouble = { trouble: 'The shop answered with something else than orders.' };
/** Notices of PHP and pages of errors come before the JSON, or in its place. */
const noticeBefore: SourceTrouble = {
  trouble: 'The shop put HTML or a notice of PHP before its answer. Turn off display_errors in the shop.',
};

/** Why the text of an answer cannot be used. */
const otherTextTrouble = (text: string): SourceTrouble => (beginsOtherwise(text) ? noticeBefore : otherAnswer);
const endless: SourceTrouble = {
  trouble: 'The shop lists its orders without end. WooCommerce 5.8 or later is required.',
};

/**
 * The place after a page. Where a page has one second alone, the next begins in its middle, because orders that change meanwhile leave
 * their place. `modified_after` excludes its own second.
 */
const positionAfter = (before: SourcePosition, last: string, isLast: boolean): SourcePosition => {
  const after = nextAfter(before.after, last, { isLast, isExact: false, now: nowIso() });
  if (after !== null) return { after, page: null };
  const page = isLast ? null : String(Number(before.page ?? 0) + wooOrdersPerPage / 2);
  return { after: before.after, page };
};

/**
 * The number of orders in the list, also of those that the keys may not read and that are missing from its pages:
 * https://woocommerce.github.io/woocommerce-rest-api-docs/#pagination. Undefined where a proxy removes it.
 */
const readTotal = ({ headers: { 'x-wp-total': text } }: WooAnswer): number | undefined =>
  typeof text === 'string' && /^\d{1,12}$/.test(text) ? Number(text) : undefined;

const toPage = (
  bodies: readonly unknown[],
  before: SourcePosition,
  total: number | undefined,
): ShopPage | SourceTrouble => {
  const found = readShopOrders(bodies, readWooOrder);
  const last = lastChangeOf(found);
  const isLast =
    total === undefined
      ? bodies.length < wooOrdersPerPage
      : Number(before.page ?? 0) + Math.max(wooOrdersPerPage, bodies.length) >= total;
  if (!isLast && bodies.length > 0 && last === undefined) return otherAnswer;
  const position = positionAfter(before, last === undefined || last < before.after ? before.after : last, isLast);
  if (Number(position.page ?? 0) > maxOffset) return endless;
  return { ...found, position, isLast };
};

/** Why one order's refunds cannot be read. Its answer says nothing about the shop, except where that receives too many requests. */
const refundsTrouble = (answer: GuardedAnswer): RefundsUnread | SourceTrouble => {
  const trouble = wooFault(answer);
  if ('status' in answer && answer.status === 429) return trouble;
  const isMissing = 'status' in answer && answer.status === 404;
  return { unread: `refunds: ${isMissing ? 'The shop has no list of them (404).' : trouble.trouble}` };
};

const refundsIn = (text: string, order: ShopOrder) => {
  const body = parseJson(text);
  const refunds = readWooRefunds(body, order);
  if (typeof refunds !== 'string') return largerRefunds(order, refunds);
  const words = typeof body === 'object' ? 'has a form that is not known.' : otherTextTrouble(text).trouble;
  return { unread: `${refunds}: ${words}` };
};

const listQuery = {
  ...{ dates_are_gmt: 'true', orderby: 'modified', order: 'asc' },
  ...{ per_page: String(wooOrdersPerPage), _fields: wooOrderFields },
};

/**
 * The newest refunds of the shop, which WooCommerce lists since 9.0; older ones answer 404:
 * https://woocommerce.github.io/code-reference/files/woocommerce-includes-rest-api-controllers-version3-class-wc-rest-refunds-controller.html
 */
const refundsQuery = {
  ...{ dates_are_gmt: 'true', orderby: 'date', order: 'desc' },
  ...{ per_page: String(wooOrdersPerPage), _fields: 'id,parent_id,date_created_gmt,amount' },
};

export const wooShop = (baseUrl: string, keys: WooKeys): ShopPort => {
  const ask = askWooWith(baseUrl, keys);
  const list = async <T>(
    query: Record<string, string>,
    read: (bodies: readonly unknown[], total: number | undefined) => T,
    path = 'orders',
  ): Promise<T | SourceTrouble> => {
    const answer = await ask(path, query);
    if (!('status' in answer) || answer.status !== 200) return wooFault(answer);
    const { success, output } = v.safeParse(listOfWoo(v.unknown()), parseJson(answer.text));
    return success ? read(output, readTotal(answer)) : otherTextTrouble(answer.text);
  };
  // Without a time: the shop may have none of an order.
  const again = async (ids: readonly string[]) =>
    await list({ ...listQuery, include: ids.join(',') }, (bodies) => readShopOrders(bodies, readWooOrder));
  return {
    page: async (position) =>
      await list(
        { ...listQuery, modified_after: gmtTime(position.after), offset: position.page ?? '0' },
        (bodies, total) => toPage(bodies, position, total),
      ),
    again: async (retries) => await again(retries.map(({ shopId }) => shopId)),
    refunded: async (after) => {
      const refunds = await list({ ...refundsQuery, after: gmtTime(after) }, groupWooRefunds, 'refunds');
      if ('trouble' in refunds || refunds.size === 0) return 'trouble' in refunds ? refunds : [];
      const found = await again([...refunds.keys()]);
      return 'trouble' in found ? found : found.orders.map((one) => withWooRefunds(one, refunds.get(one.shopId) ?? []));
    },
    refunds: async (order) => {
      const query = { per_page: '100', _fields: 'id,date_created_gmt,amount' };
      const answer = await ask(`orders/${order.shopId}/refunds`, query);
      if (!('status' in answer) || answer.status !== 200) return refundsTrouble(answer);
      return refundsIn(answer.text, order);
    },
  };
};
