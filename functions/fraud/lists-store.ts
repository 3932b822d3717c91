import { isDeepStrictEqual } from 'node:util';
import { changedMeanwhile, retryOnConflict } from '../core/conflict-store.ts';
import { keys } from '../core/keys.ts';
import type { Caller } from '../core/operation.ts';
import { getItems, putItem } from '../core/table.ts';
import { siteVisibleTo } from '../merchants/site-row.ts';
import { checkTakesPayments } from '../merchants/site-type.ts';
import type { FraudLists } from './lists.ts';
import { fromListsItem, toListsItem } from './lists-row.ts';

/** A site's lists. Throws site_not_found, also for what the caller may not see, and site_not_for_payments. */
const readLists = async (sid: number, caller: Caller): Promise<FraudLists> => {
  const [siteItem, listsItem] = await getItems([keys.site(sid), keys.fraudLists(sid)]);
  checkTakesPayments(siteVisibleTo(caller, siteItem));
  return fromListsItem(listsItem);
};

/** Changes a site's lists as read now, and again as somebody else left them meanwhile. Throws changed_meanwhile besides. */
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
      const after = { ...changed, version: before.version + 1 };
      await putItem(toListsItem(sid, after), {
        ConditionExpression: before.version === 0 ? 'attribute_not_exists(pk)' : '#version = :before',
        ...(before.version > 0 && {
          ExpressionAttributeNames: { '#version': 'version' },
          ExpressionAttributeValues: { ':before': before.version },
        }),
      });
      return after;
    },
    { exhausted: changedMeanwhile },
  );
};
