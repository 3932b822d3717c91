import { nowIso } from '#core/kernel/clock.ts';
import { retriesAfter, type UnreadOrder } from '#payments/orders/source/order-retries.ts';
import {
  maxReason,
  noCounts,
  type OrderRetry,
  type OrderSource,
  type OrdersRead,
  type SourceCounts,
} from '#payments/orders/source/order-source.ts';
import { cleanText, type UnreadableOrder } from './shop-order.ts';

/** `counted`: the counter that an order adds to; null: none. `unread`: it is read again. */
export type Fate = {
  reference: string;
  shopId: string;
  counted: keyof SourceCounts | null;
  refusal?: string;
  unread?: UnreadOrder;
  contradiction?: string | undefined;
};

/**
 * Counts orders. One that was left out is counted once, although the pages before and after it contain it as well. One that was refused
 * until now, and is read at last, no longer counts as refused. `isGone`: the shop no longer has an order that should be read again.
 */
export const countFates = (
  fates: readonly Fate[],
  source: OrderSource,
  isGone: (retry: OrderRetry) => boolean = () => false,
): OrdersRead => {
  const counts = { ...noCounts };
  const leftOut: string[] = [];
  const waited = new Map(source.retries.map((retry) => [retry.shopId, retry]));
  const read = new Set(fates.filter(({ unread }) => !unread).map(({ shopId }) => shopId));
  for (const { reference, shopId, counted, unread } of fates) {
    const isStored = counted === 'imported' || counted === 'updated';
    const name = shownName(reference);
    const wasRefused = waited.has(shopId);
    const isReadAtLast = wasRefused && !unread && counted !== 'refused';
    if (isReadAtLast) counts.refused -= 1;
    // It counts as refused until it is read, even if it was counted before.
    const isNowWaiting = unread !== undefined && shopId !== '' && !wasRefused;
    const isKnown = wasRefused || source.leftOut.includes(name);
    const isCounted = isStored || isReadAtLast || isNowWaiting || !isKnown;
    if (counted === null || !isCounted) continue;
    counts[counted] += 1;
    if (!isStored) leftOut.push(name);
  }
  const retries = retriesAfter(
    source.retries,
    fates.flatMap(({ unread }) => unread ?? []),
    { isRead: (retry) => read.has(retry.shopId) || isGone(retry), now: nowIso() },
  );
  const refusal = fates.findLast((fate) => fate.refusal !== undefined)?.refusal;
  const isLastRead = [...read].some((shopId) => source.lastRefusal === waited.get(shopId)?.reason);
  return {
    ...{ counts, leftOut, retries },
    lastRefusal: refusal ?? (isLastRead ? (retries.at(-1)?.reason ?? null) : source.lastRefusal),
    contradiction: fates.findLast((fate) => fate.contradiction)?.contradiction ?? source.contradiction,
  };
};

/** The reference of an order without card numbers, which a shop may have in it. */
const shownName = (reference: string): string => cleanText(reference, 65) ?? '';

type Named = { shopId: string; reference: string };

export const wordsFor = ({ reference }: Named, words: string): string =>
  `Order ${shownName(reference)}: ${words}`.slice(0, maxReason);

export const refuseOrder = ({ shopId, reference }: Named, words: string): Fate => ({
  ...{ shopId, reference, counted: 'refused' },
  refusal: wordsFor({ shopId, reference }, words),
});

/** Counts an order as refused that could not be read. It is read again. `modifiedAt`: ISO; null: not known. */
export const refuseUnread = (order: Named & { modifiedAt: string | null }, words: string): Fate => {
  const fate = refuseOrder(order, words);
  const at = order.modifiedAt ?? nowIso();
  const unread = { shopId: order.shopId, reference: shownName(order.reference), reason: wordsFor(order, words), at };
  return { ...fate, unread };
};

export const refuseUnreadable = (order: UnreadableOrder): Fate =>
  refuseUnread(order, `${order.field}: has a form that is not known.`);

export const toFate = ({ shopId, reference }: Named, counted: Fate['counted'], contradiction?: string): Fate => ({
  ...{ shopId, reference, counted, contradiction },
});
