import { isDeepStrictEqual } from 'node:util';
import type { Kept } from './watch.ts';

/** Checks the orders of a connected shop when a history is over, against the shop, without code of the import. */

type Content = { reference: string; refunds?: { amount: string }[] };
type Source = { lastRunAt: string | null; counts: { imported: number; withoutCard: number; refused: number } };

const refundsAgree = (content: Content, refunded: readonly string[]): boolean =>
  isDeepStrictEqual((content.refunds ?? []).map(({ amount }) => amount).toSorted(), refunded.toSorted());

/**
 * Orders count as imported by the time at which they were stored. So one that a killed run stored and that changes before the next run may be
 * missing, and where clocks are skewed, a few may be missing or counted twice.
 */
const countsAgree = ({ observed: { shopkeeper }, of, profile }: Kept): string[] => {
  const { sold, unknown = 0, shop } = shopkeeper?.sales ?? {};
  const [{ counts } = { counts: undefined }] = of('ORDER_SOURCE').map((row) => row['source'] as Source);
  const changed = [...(shop?.orders.values() ?? [])].filter(({ refunds }) => refunds.length > 0).length;
  const skewed = profile === 'all' || profile === 'disorder' ? 5 : 0;
  const missing = (sold?.size ?? 0) - (counts?.imported ?? Number.NaN);
  const isRight = missing <= changed + skewed && missing >= -skewed;
  return isRight && counts?.withoutCard === unknown && counts.refused === 0
    ? []
    : [`the source counts ${JSON.stringify(counts)} of ${sold?.size} orders, and ${unknown} without a card`];
};

/** Each order whose card is known is stored once, with all of its refunds, and is counted. */
export const shopOrdersAgree = (kept: Kept): string[] => {
  const { shopkeeper } = kept.observed;
  if (!shopkeeper) return [];
  const { sid, sales, calmAt } = shopkeeper;
  // A page takes more than a hundred calls: where every hundredth kills the function, some shops are never read to the end.
  const isRead = kept.of('ORDER_SOURCE').some((row) => ((row['source'] as Source).lastRunAt ?? '') > calmAt);
  if (!isRead && kept.profile !== 'calm') return [];
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
    ...countsAgree(kept),
  ];
};
