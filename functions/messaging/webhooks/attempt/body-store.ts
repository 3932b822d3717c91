import { optional } from '#core/platform/operation/environment.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { fromAlertItem } from '#disputes/alerts/alert-row.ts';
import { withHeldPayment } from '#disputes/alerts/outbox/alert-payload.ts';
import { chatBody } from '#disputes/alerts/outbox/chat.ts';
import type { Delivery } from '../delivery/delivery.ts';
import { isChat } from '../delivery/delivery-policy.ts';
import { searchedHold } from './awaited-hold-store.ts';

/**
 * Returns the body of an attempt made at a time (ISO). For a new alert it names the payment held for it by then; a message to a chat is
 * built from the alert's present state, and states how much time is left.
 */
export const bodyNow = async ({ kind, alertId, body, attempts }: Delivery, at: string): Promise<string> => {
  if (alertId === null) return body;
  if (isChat(kind)) {
    const item = await getItem(keys.alert(alertId));
    if (!item) throw new Error(`Alert ${alertId}, which a message is about, is gone`);
    return chatBody(kind, fromAlertItem(item), { at, dashboard: optional('DASHBOARD_URL') ?? null });
  }
  if (kind !== 'new_alert') return body;
  const { txid = null, isRefunded } = (await searchedHold(alertId, attempts.length === 0)) ?? {};
  return txid === null ? body : withHeldPayment(body, txid, isRefunded);
};
