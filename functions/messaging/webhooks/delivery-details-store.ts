import { fromSiteItem } from '#accounts/merchants/site/site-row.ts';
import { nowIso } from '#core/kernel/clock.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { bodyFor } from './attempt/body-format.ts';
import { bodyNow } from './attempt/body-store.ts';
import { deliveryDetails } from './delivery/delivery-row.ts';
import { deliveryForCaller } from './delivery-access-store.ts';

/** A delivery with its attempts and what they send. Throws notification_not_found also for another merchant's. */
export const deliveryDetailsForCaller = async (id: string, caller: Caller) => {
  const delivery = await deliveryForCaller(id, caller);
  const item = await getItem(keys.site(delivery.sid));
  const shown = { ...delivery, body: await bodyNow(delivery, nowIso()) };
  const { body, contentType } = bodyFor(shown, item ? fromSiteItem(item).alert : null);
  return { ...deliveryDetails(delivery), content_type: contentType, body };
};
