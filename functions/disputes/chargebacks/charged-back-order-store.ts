import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, transact } from '#core/platform/table/table.ts';
import { fromAlertOrderItem } from '#disputes/alerts/alert-order-row.ts';
import { markWrites, settleLookups } from '#disputes/lookups/order/disputed-order-store.ts';
import { disputeKey } from '#payments/orders/order-row.ts';
import { getOrder } from '#payments/orders/order-store.ts';
import type { Chargeback } from './chargeback.ts';

/**
 * Marks the order of the payment, and the look-ups that showed it, as disputed by an inquiry or chargeback; no longer so once that is won.
 * Repeated, it does nothing.
 */
export const tellOrder = async (chargeback: Chargeback): Promise<void> => {
  const orderId = await findOrderId(chargeback);
  if (orderId !== null) await retryOnConflict(() => mark(orderId, chargeback));
};

/** The order has the number of a payment that was taken here; of a charge elsewhere it is the order of its alert. */
const findOrderId = async ({ txid, alertId }: Chargeback): Promise<number | null> => {
  if (txid !== null || alertId === null) return txid;
  return fromAlertOrderItem(await getItem(keys.alertOrder(alertId)))?.orderId ?? null;
};

const mark = async (orderId: number, { id, mid, status, stage, openedAt }: Chargeback): Promise<void> => {
  const order = await getOrder(orderId);
  if (order?.mid !== mid) return;
  const dispute = {
    ...{ alertId: null, chargebackId: id, at: openedAt },
    type: stage === 'inquiry' ? 'INQUIRY' : 'CHARGEBACK',
  };
  const before = order.disputes.find((one) => disputeKey(one) === id);
  const isDisputed = status !== 'won';
  if (isDisputed === (before !== undefined) && (!before || before.type === dispute.type)) return;
  await transact({ marks: markWrites(order, dispute, isDisputed) });
  await settleLookups(orderId);
};
