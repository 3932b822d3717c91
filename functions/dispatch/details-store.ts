import { nowIso } from '../core/clock.ts';
import { keys } from '../core/keys.ts';
import type { Caller } from '../core/operation.ts';
import { getItem } from '../core/table.ts';
import { fromSiteItem } from '../merchants/site-row.ts';
import { deliveryDetails } from '../notifications/delivery-row.ts';
import { deliveryForCaller } from './access-store.ts';
import { bodyFor } from './body-format.ts';
import { bodyNow } from './body-store.ts';

/** A delivery with its attempts and what they send. Throws notification_not_found also for another merchant's. */
export const detailsForCaller = async (id: string, caller: Caller) => {
  const delivery = await deliveryForCaller(id, caller);
  const item = await getItem(keys.site(delivery.sid));
  const shown = { ...delivery, body: await bodyNow(delivery, nowIso()) };
  const { body, contentType } = bodyFor(shown, item ? fromSiteItem(item).alert : null);
  return { ...deliveryDetails(delivery), content_type: contentType, body };
};
