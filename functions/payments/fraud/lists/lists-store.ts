import { isDeepStrictEqual } from 'node:util';
import { siteVisibleTo } from '#accounts/merchants/site/site-row.ts';
import { checkTakesPayments } from '#accounts/merchants/site/site-type.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, putItem } from '#core/platform/table/table.ts';
import { addBlocked, type BlockedPayer, type FraudLists } from './lists.ts';
import { fromListsItem, toListsItem } from './lists-row.ts';

/** A site's lists. Throws site_not_found, also for what the caller may not see, and site_not_for_payments. */
export const readLists = async (sid: number, caller: Caller): Promise<FraudLists> => {
  const [siteItem, listsItem] = await getItems([keys.site(sid), keys.fraudLists(sid)]);
  checkTakesPayments(siteVisibleTo(caller, siteItem));
  return fromListsItem(listsItem);
};

/** Changes a site's lists as read now; after a conflict, tries again on the new lists. Also throws changed_meanwhile. */
export const changeLists = (
  sid: number,
  caller: Caller,
  change: (lists: FraudLists) => FraudLists,
): Promise<FraudLists> => {
  return retryOnConflict(
    async () => {
      const before = await readLists(sid, caller);
      const changed = change(before);
      if (isDeepStrictEqual(changed, before)) return before;
      return save(sid, before, changed);
    },
    { onExhausted: changedMeanwhile },
  );
};

const save = async (sid: number, before: FraudLists, changed: FraudLists): Promise<FraudLists> => {
  const after = { ...changed, version: before.version + 1 };
  await putItem(toListsItem(sid, after), {
    ConditionExpression: before.version === 0 ? 'attribute_not_exists(pk)' : '#version = :before',
    ...(before.version > 0 && {
      ExpressionAttributeNames: { '#version': 'version' },
      ExpressionAttributeValues: { ':before': before.version },
    }),
  });
  return after;
};

/** Puts a payer onto a site's block list, for the service itself; false where its lists are full. */
export const blockPayer = (sid: number, payer: BlockedPayer): Promise<boolean> =>
  retryOnConflict(async () => {
    const before = fromListsItem(await getItem(keys.fraudLists(sid)));
    const after = addBlocked(before, payer);
    if (!after) return false;
    if (after !== before) await save(sid, before, after);
    return true;
  });
