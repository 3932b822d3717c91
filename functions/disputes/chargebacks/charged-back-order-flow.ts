import { formatAmount } from '#core/kernel/money/money.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, transact } from '#core/platform/table/table.ts';
import { fromAlertOrderItem } from '#disputes/alerts/alert-order-row.ts';
import { findOrderOfAlert } from '#disputes/lookups/lookup/alert-order-store.ts';
import { markWrites, settleLookups } from '#disputes/lookups/order/disputed-order-store.ts';
import { hasChargeReference } from '#payments/orders/charges/order-charges.ts';
import { cardEndsOf, disputeKey } from '#payments/orders/order-row.ts';
import { getOrder, readOrdersOfCard } from '#payments/orders/order-store.ts';
import { findCharge } from './alert-of-charge-flow.ts';
import type { Chargeback } from './chargeback.ts';

/**
 * Marks the order of the payment, and the look-ups that showed it, as disputed by an inquiry or chargeback; no longer so once that is won.
 * Repeated, it does nothing. `payments`: the processor's names of the charge.
 */
export const tellOrder = async (chargeback: Chargeback, payments: readonly string[]): Promise<void> => {
  const orderId = await findOrderId(chargeback, payments);
  if (orderId !== null) await retryOnConflict(() => mark(orderId, chargeback));
};

/**
 * The order has the number of a payment that was taken here; of a charge elsewhere it is the order of its alert, or the one that its
 * processor's numbers name with certainty.
 */
const findOrderId = async (chargeback: Chargeback, payments: readonly string[]): Promise<number | null> => {
  const { txid, alertId } = chargeback;
  if (txid !== null) return txid;
  const ofAlert = alertId === null ? undefined : fromAlertOrderItem(await getItem(keys.alertOrder(alertId)))?.orderId;
  return ofAlert ?? (await findOrderOfCharge(chargeback, payments));
};

const findOrderOfCharge = async (
  { mid, connection }: Chargeback,
  payments: readonly string[],
): Promise<number | null> => {
  const charge = connection === null ? undefined : await findCharge(mid, connection, payments);
  if (!charge || connection === null) return null;
  const { first6, last4, money, reference } = charge;
  const { orders } = await readOrdersOfCard(mid, cardEndsOf(charge), charge.date);
  const [own, ...more] = orders.filter(
    ({ content }) =>
      content.processor?.connection === connection &&
      [...payments, reference].some((one) => hasChargeReference(content, one)),
  );
  if (own) return more.length === 0 ? own.orderId : null;
  const match = await findOrderOfAlert(mid, {
    ...{ card: last4 === '' ? '' : `${first6}xxxxxx${last4}`, arn: charge.arn ?? '', authCode: charge.authCode ?? '' },
    ...{ amount: formatAmount(money), currency: money.currency, transactionAt: charge.date, transactionId: reference },
  });
  return match.found === 'one' ? match.order.orderId : null;
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
