import { formatAmount, parseAmount } from '#core/kernel/money/money.ts';
import { makeRecord } from '#core/kernel/record-of.ts';
import { crossFacets } from '#core/platform/lists/listing.ts';
import { countAll, readFirst } from '#core/platform/lists/listing-store.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { alertScope } from '#disputes/alerts/alert-store.ts';
import { type LookupProvider, lookupProviders, lookupResults } from './lookup.ts';
import { facetKinds, foundKinds, type LookupSummary, lookupEntity } from './lookup-row.ts';

type Asked = {
  mid?: number | undefined;
  sid?: number | undefined;
  provider?: LookupProvider[] | undefined;
  date_from?: string | undefined;
  date_to?: string | undefined;
};

/** More than a merchant deflects in a month; if there are more, only the newest are summed. */
const maxSummed = 2000;

/** Reports the results of the look-ups that a caller may see, by the counts of their lists. Throws merchant_not_found, site_not_found. */
export const reportOfLookups = async (asked: Asked, caller: Caller) => {
  const { mid, sid, provider = lookupProviders, date_from: from, date_to: to } = asked;
  const list = { entity: lookupEntity, ...(await alertScope({ mid, sid }, caller)), from, to };
  const count = (kinds: readonly string[]) =>
    countAll({ ...list, facets: crossFacets(provider, kinds), order: 'DESC', size: 1 });
  const counts = await Promise.all(lookupResults.map((result) => count(facetKinds([result]))));
  const [open, disputed, deflected, qualified] = await Promise.all([
    count(foundKinds({ outcome: 'open' })),
    count(foundKinds({ outcome: 'disputed' })),
    count(foundKinds({ outcome: 'deflected' })),
    count(foundKinds({ ce3: true })),
  ]);
  const of = makeRecord(lookupResults, (result) => counts[lookupResults.indexOf(result)] ?? 0);
  const lookups = counts.reduce((sum, n) => sum + n, 0);
  const newest = await readFirst<LookupSummary>({
    ...list,
    facets: crossFacets(provider, foundKinds({ outcome: 'deflected' })),
    order: 'DESC',
    size: maxSummed,
  });
  return {
    lookups,
    ...of,
    open,
    disputed,
    deflected,
    ce3_qualified: qualified,
    found_rate: lookups === 0 ? null : Math.round((1000 * of.found) / lookups) / 10,
    saved: sumSaved(newest),
    saved_is_whole: newest.length < maxSummed,
  };
};

/** Returns the total of the orders that were looked up, by currency. Each order counts once. */
const sumSaved = (lookups: readonly LookupSummary[]): { currency: string; amount: string }[] => {
  const byOrder = new Map(lookups.map((lookup) => [lookup.order_id, lookup]));
  const sums = new Map<string, bigint>();
  for (const { amount, currency } of byOrder.values()) {
    const money = parseAmount(amount ?? '', currency ?? '');
    if (typeof money !== 'string') sums.set(money.currency, (sums.get(money.currency) ?? 0n) + money.minor);
  }
  return [...sums]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, minor]) => ({ currency, amount: formatAmount({ minor, currency }) }));
};
