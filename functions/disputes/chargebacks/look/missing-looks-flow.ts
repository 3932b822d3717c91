import { fromMerchantItem } from '#accounts/merchants/merchant/merchant-row.ts';
import { siteEntity } from '#accounts/merchants/site/site.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { readPage } from '#core/platform/lists/listing-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { ConditionFailedError, getItems, putItem } from '#core/platform/table/table.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { noConnections } from '#disputes/connections/connection.ts';
import { fromConnectionsItem } from '#disputes/connections/connection-row.ts';
import { disputeLookDue } from '#disputes/connections/dispute-look-due.ts';
import { type DisputeLook, disputeLookItem, newLooks } from '#disputes/connections/dispute-look-row.ts';

/** For how many sites the merchants are read in one call. */
const sitesAtOnce = 50;

/**
 * Begins the missing daily looks of connections: of those set before there were looks, and of merchants whose chargebacks have been
 * managed only since. Goes through the merchants by their sites, a page per message. `cursor`: where to continue; null: at the first.
 */
export const beginMissingLooks = async (cursor: string | null): Promise<void> => {
  const { list, next_cursor: next } = await readPage<{ mid: number }>({
    entity: siteEntity,
    scopeIndex: 1,
    scope: 'all',
    order: 'ASC',
    size: sitesAtOnce,
    ...(cursor !== null && { cursor }),
  });
  const missing = await missingLooks([...new Set(list.map(({ mid }) => mid))]);
  for (const look of missing) await beginLook(look);
  if (next !== null) await sendOrThrow([disputeLookDue.message({ looksAfter: next })]);
};

const missingLooks = async (mids: readonly number[]): Promise<DisputeLook[]> => {
  const rows = await getItems(mids.flatMap((mid) => [keys.merchant(mid), keys.connections(mid)]));
  const at = nowIso();
  const wanted = mids.flatMap((mid, index) => {
    const isManaged = fromMerchantItem(rows[index * 2])?.profile['cbm'] === true;
    return isManaged ? newLooks(mid, noConnections, fromConnectionsItem(rows[index * 2 + 1]), at) : [];
  });
  const known: unknown[] = [];
  for (let first = 0; first < wanted.length; first += sitesAtOnce) {
    const some = wanted.slice(first, first + sitesAtOnce);
    known.push(...(await getItems(some.map(({ mid, connection }) => keys.disputeLook(mid, connection)))));
  }
  return wanted.filter((_, index) => known[index] === undefined);
};

/** Another process may have begun it meanwhile; that one then stays. */
const beginLook = (look: DisputeLook): Promise<void> =>
  putItem(disputeLookItem(look), { ConditionExpression: 'attribute_not_exists(pk)' }).catch((error: unknown) => {
    if (!(error instanceof ConditionFailedError)) throw error;
  });
