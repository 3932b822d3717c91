import { isDeepStrictEqual } from 'node:util';
import type { Shopkeeper } from './outside-events.ts';
import type { Kept } from './table-history.ts';

/** Checks the orders of a connected shop when a history is over, against the shop, without code of the import. */

type Content = { reference: string; refunds?: { amount: string }[] };
const refundsAgree = (content: Content, refunded: readonly string[]): boolean =>
  isDeepStrictEqual((content.refunds ?? []).map(({ amount }) => amount).toSorted(), refunded.toSorted());

/**
 * Orders count as imported by the time at which they were stored. So one that a killed run stored and that changes before the next run may be
 * missing, and where clocks are skewed, a few may be missing or counted twice.
 */
const countsAgree = ({ sales: { sold, unknown, shop }, counts }: Shopkeeper, profile: Kept['profile']): string[] => {
  const changed = [...shop.orders.values()].filter(({ refunds }) => refunds.length > 0).length;
  const skewed = profile === 'all' || profile === 'disorder' ? 5 : 0;
  const missing = sold.size - (counts?.imported ?? Number.NaN);
  const isRight = missing <= changed + skewed && missing >= -skewed;
  return isRight && counts?.withoutCard === unknown && counts.refused === 0
    ? []
    : [`the source counts ${JSON.stringify(counts)} of ${sold.size} orders, and ${unknown} without a card`];
};

/** Each order whose card is known is stored once, with all of its refunds, and is counted. */
export const shopOrdersAgree = (kept: Kept): string[] => {
  const { shopkeeper } = kept.observed;
  if (!shopkeeper) return [];
  const { sid, sales, counts } = shopkeeper;
  // A page takes more than a hundred calls: where every hundredth kills the function, some shops are never read to the end.
  if (!counts && kept.profile !== 'calm') return [];
  const contents = kept
    .of('ORDER')
    .filter((row) => row['sid'] === sid)
    .map((row) => row['content'] as Content);
  return [
    ...[...sales.sold].flatMap((id) => {
      const stored = contents.filter(({ reference }) => reference === String(id));
      const refunded = (sales.shop.orders.get(id)?.refunds ?? []).map(({ amount }) => amount);
      if (stored.length !== 1) return [`order ${id} is stored ${stored.length} times`];
      return stored.every((one) => refundsAgree(one, refunded))
        ? []
        : [`order ${id} has refunds of ${JSON.stringify(stored[0]?.refunds)}, not ${refunded}`];
    }),
    ...(contents.length === sales.sold.size ? [] : [`there are ${contents.length} of ${sales.sold.size} orders`]),
    ...countsAgree(shopkeeper, kept.profile),
  ];
};
