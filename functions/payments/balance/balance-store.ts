import { fromSiteItem } from '#accounts/merchants/site/site-row.ts';
import { openRcodes } from '#accounts/merchants/site/site-store.ts';
import { checkTakesPayments } from '#accounts/merchants/site/site-type.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems } from '#core/platform/table/table.ts';
import { sentRcode } from '#payments/payments/order/hashes.ts';
import type { Funds } from '#payments/processors/ports/processor.ts';
import type { Route, SiteProcessors } from '#payments/processors/routing/routing.ts';
import { fromSiteProcessorsItem } from '#payments/processors/routing/site-processors-row.ts';
import { balanceKeys } from '#payments/transactions/ledger/ledger-funds-row.ts';
import { fromBalanceItems } from './funds-row.ts';

/** A site's funds by our books, and the accounts that hold them. */
export type Books = { funds: Funds[]; processors: SiteProcessors };

/**
 * A payment site's funds, for a caller who sends its rcode; a site that does not exist is answered like a wrong rcode. One call to
 * the table. Throws rcode_wrong, site_not_for_payments.
 */
export const readBooks = async (sid: number, rcode: string): Promise<Books> => {
  const [item, processors, ...rows] = await getItems([keys.site(sid), keys.siteProcessors(sid), ...balanceKeys(sid)]);
  const site = item && fromSiteItem(item);
  const rcodes = await openRcodes(site, nowIso());
  const isKnown = sentRcode(rcode, rcodes) !== undefined;
  if (!site || !isKnown) {
    throw new Refusal('rcode_wrong', 'rcode: must be the rcode of the site in the path.');
  }
  checkTakesPayments(site);
  return { funds: fromBalanceItems(rows), processors: fromSiteProcessorsItem(processors) };
};

/** The only account that a site's payments have ever gone to, if there is just one, at a processor: the sandbox keeps no funds. */
export const soleAccount = ({ routes, retired }: SiteProcessors): Route | undefined => {
  const [first, ...others] = [...routes, ...retired];
  return first && first.processor !== 'sandbox' && others.every(({ id }) => id === first.id) ? first : undefined;
};
