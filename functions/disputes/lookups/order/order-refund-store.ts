import { nowIso } from '#core/kernel/clock.ts';
import { tryTransact } from '#core/platform/table/table.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import { hasChargeReference } from '#payments/orders/charges/order-charges.ts';
import type { OrderRefund } from '#payments/orders/order.ts';
import { orderKey } from '#payments/orders/order-row.ts';
import { findOrderOfAlert } from '../lookup/alert-order-store.ts';

/** A refund for an alert at the merchant's own processor: its connection and charge; null: it was returned. */
type RefundElsewhere = { refund: OrderRefund | null; connection: string; reference: string };

/**
 * Shows a refund made at a merchant's own processor in the order that the alert's numbers name, unless the order says that its
 * money is elsewhere; or removes the refund once it has failed. An alert has one refund, so a repeated call changes nothing.
 */
export const showRefundElsewhere = async (
  { alertId, owner, providerAlert }: Alert,
  { refund, connection, reference }: RefundElsewhere,
): Promise<void> => {
  const match = owner ? await findOrderOfAlert(owner.mid, providerAlert) : undefined;
  if (match?.found !== 'one' || match.order.source !== 'merchant') return;
  const { content } = match.order;
  const named = content.processor;
  if (named && (named.connection !== connection || !hasChargeReference(content, reference))) return;
  const isNamed = content.charges?.some((charge) => charge.reference === reference);
  const shown = refund && isNamed ? { ...refund, charge: reference } : refund;
  // Its condition fails if the merchant has deleted the order.
  await tryTransact({
    order: {
      Update: {
        Key: orderKey(match.order),
        UpdateExpression: refund
          ? 'SET #refunds.#alert = :refund, #updatedAt = :at ADD #version :one'
          : 'REMOVE #refunds.#alert SET #updatedAt = :at ADD #version :one',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: {
          '#refunds': 'ownRefunds',
          '#alert': `A${alertId}`,
          '#updatedAt': 'updatedAt',
          '#version': 'version',
        },
        ExpressionAttributeValues: {
          ...(shown && { ':refund': shown }),
          ':at': refund?.at ?? nowIso(),
          ':one': 1,
        },
      },
    },
  });
};
