import type { BegunRefund } from '../alerts/automatic/decision-row.ts';
import { dueKeys, keys } from '../core/keys.ts';
import type { Item, Write } from '../core/table.ts';
import type { AlertRefund } from './refund.ts';

/** What an alert's row of its refund holds: the refund, and what a rule has begun it on. */
export type RefundRow = { refund: AlertRefund; begun: BegunRefund | null };

/** `nextCheckAt` stands beside the rest for whoever watches the stream. */
const toRefundItem = ({ refund, begun }: RefundRow): Item => {
  const { alertId, nextCheckAt } = refund;
  return {
    ...keys.refund(alertId),
    entity: 'REFUND',
    id: alertId,
    ...(nextCheckAt !== null && { ...dueKeys('REFUND', nextCheckAt, alertId), nextCheckAt }),
    ...(begun && { begun }),
    refund,
  };
};

/** Reads the row back; undefined where there is none, or only a rule's note of a refund of our own payment. */
export const fromRefundItem = (item: Item | undefined): RefundRow | undefined => {
  const { refund, begun = null } = (item ?? {}) as Partial<RefundRow>;
  return refund && { refund, begun };
};

const asRead = ({ version }: AlertRefund) => ({
  ConditionExpression: '#refund.#version = :version',
  ExpressionAttributeNames: { '#refund': 'refund', '#version': 'version' },
  ExpressionAttributeValues: { ':version': version },
});

/** The part of a transaction that begins a refund. Its condition fails if another was begun, but for the one that failed before. */
export const newRefundWrite = (row: RefundRow, failed: AlertRefund | undefined): Write => ({
  Put: {
    Item: toRefundItem(row),
    ...(failed
      ? asRead(failed)
      : { ConditionExpression: 'attribute_not_exists(#refund)', ExpressionAttributeNames: { '#refund': 'refund' } }),
  },
});

/** The part that writes its next state. Its condition fails if it is not as it was read. */
export const changedRefundWrite = (before: AlertRefund, after: RefundRow): Write => ({
  Put: { Item: toRefundItem(after), ...asRead(before) },
});
