import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '../core/errors.ts';
import { keys } from '../core/keys.ts';
import type { Caller } from '../core/operation.ts';
import { reaches } from '../core/reach.ts';
import { ConditionFailed, getItems, putItem } from '../core/table.ts';
import { fromSiteItem } from '../merchants/site-row.ts';
import { checkTakesPayments } from '../merchants/site-type.ts';
import type { FraudLists } from './lists.ts';
import { fromListsItem, toListsItem } from './lists-row.ts';

/** A site's lists. Throws site_not_found, also for what the caller may not see, and site_not_for_payments. */
const readLists = async (sid: number, caller: Caller): Promise<FraudLists> => {
  const [siteItem, listsItem] = await getItems([keys.site(sid), keys.fraudLists(sid)]);
  const site = siteItem && fromSiteItem(siteItem);
  if (!site || !reaches(caller, site.mid)) throw new Refusal('site_not_found', 'sid: you have no such site.');
  checkTakesPayments(site);
  return fromListsItem(listsItem);
};

const mostTries = 8;

/** Changes a site's lists as read now, and again as somebody else left them meanwhile. Throws changed_meanwhile besides. */
export const changeLists = async (
  sid: number,
  caller: Caller,
  change: (lists: FraudLists) => FraudLists,
): Promise<FraudLists> => {
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const before = await readLists(sid, caller);
    const changed = change(before);
    if (isDeepStrictEqual(changed, before)) return before;
    const after = { ...changed, version: before.version + 1 };
    try {
      await putItem(toListsItem(sid, after), {
        ConditionExpression: before.version === 0 ? 'attribute_not_exists(pk)' : '#version = :before',
        ...(before.version > 0 && {
          ExpressionAttributeNames: { '#version': 'version' },
          ExpressionAttributeValues: { ':before': before.version },
        }),
      });
      return after;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
  throw new Refusal('changed_meanwhile', 'Send it again.');
};
