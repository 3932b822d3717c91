import { iso, milliseconds } from '#core/kernel/clock.ts';
import type { OrderRetry, OrderSource, Recheck, SourcePosition } from './order-source.ts';

/** The orders of a shop that are read a second time: those that could not be read, and recent ones. Pure. All times are ISO. */

/** An order that could not be read just now. `shopId`: empty where even that could not be read, so that it cannot be asked for. */
export type UnreadOrder = Pick<OrderRetry, 'shopId' | 'reference' | 'reason' | 'at'>;

/** The number of orders that one run reads again: each may take until the limit of a request. */
const retriesAtOnce = 10;
const firstPause = 10 * milliseconds.minute;
const longestPause = 6 * milliseconds.hour;
/** About four weeks. */
const maxTries = 110;

/** The orders that are read again now. */
export const dueRetries = ({ retries }: Pick<OrderSource, 'retries'>, now: string): readonly OrderRetry[] =>
  retries
    .filter(({ nextAt }) => nextAt <= now)
    .toSorted((one, other) => (one.nextAt < other.nextAt ? -1 : 1))
    .slice(0, retriesAtOnce);

/**
 * The orders to read again, after some were read. `isRead`: whether an order that was waiting was read, or is gone. One that still cannot be read
 * waits longer each time, and is given up after four weeks.
 */
export const retriesAfter = (
  before: readonly OrderRetry[],
  unread: readonly UnreadOrder[],
  { isRead, now }: { isRead(retry: OrderRetry): boolean; now: string },
): OrderRetry[] => {
  const failed = new Map(unread.filter(({ shopId }) => shopId !== '').map((one) => [one.shopId, one]));
  const kept = before.flatMap((one) => {
    const again = failed.get(one.shopId);
    failed.delete(one.shopId);
    // The lists of the usual runs overlap, and contain it before it is due.
    if (again && one.nextAt > now) return [one];
    if (again) return one.tries >= maxTries ? [] : [waiting(again, one.tries + 1, now)];
    return isRead(one) ? [] : [one];
  });
  return [...kept, ...[...failed.values()].map((one) => waiting(one, 0, now))];
};

const waiting = ({ shopId, reference, reason, at }: UnreadOrder, tries: number, now: string): OrderRetry => ({
  ...{ shopId, reference, reason, at, tries },
  nextAt: iso(Date.parse(now) + Math.min(longestPause, firstPause * 2 ** Math.min(tries, 10))),
});

/** Orders are looked at again for so long after they changed, as processors refund without changing the order. */
const recheckedFor = 30 * milliseconds.day;
/** One page per run of the import: 4,800 orders of WooCommerce a day. */
const recheckPause = 10 * milliseconds.minute;

/** The place of the second look, if it goes on now. */
export const dueRecheck = ({ kind, recheck }: OrderSource, now: string): SourcePosition | null => {
  if (kind !== 'woocommerce' || recheck.dueAt === null || recheck.dueAt > now) return null;
  return recheck.position ?? { after: iso(Date.parse(now) - recheckedFor), page: null };
};

/** The second look after one of its pages. `position`: where it goes on; null: it is over until tomorrow. */
export const recheckAfter = (position: SourcePosition | null, now: string): Recheck => ({
  position,
  dueAt: iso(Date.parse(now) + (position === null ? milliseconds.day : recheckPause)),
});
