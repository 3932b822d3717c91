import * as v from 'valibot';
import { nullableTexts, numbers, texts } from '#core/kernel/schema/shape-fields.ts';
import { type Item, requireVersion, type Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import {
  type BegunRefund,
  fromRuleRefundItem as fromBegunItem,
  notRefundedHere,
} from '#disputes/alerts/automatic/decision-row.ts';
import { GatewayTransactionShape } from '#disputes/alerts/stored-shapes.ts';
import { RefundAnswerShape } from '#payments/transactions/transaction/transaction-row.ts';
import type { AlertRefund } from './refund.ts';
import { refundDue } from './refund-due.ts';

const RefundRow = defineRow<AlertRefund>({
  entity: 'REFUND',
  attribute: 'refund',
  schema: v.looseObject({
    ...numbers('alertId', 'number', 'sid', 'mid', 'tries', 'checks', 'version'),
    ...texts('connection', 'reference', 'amount', 'currency', 'reason', 'by', 'begunAt', 'state'),
    charge: GatewayTransactionShape,
    isSettled: v.boolean(),
    answer: v.nullable(RefundAnswerShape),
    lease: v.nullable(v.looseObject({ attemptId: v.string(), until: v.string() })),
    ...nullableTexts('askedAt', 'nextCheckAt', 'error'),
    refund: v.nullable(GatewayTransactionShape),
    failed: v.exactOptional(v.array(v.string())),
  }),
});

/** The content of an alert's refund row: the refund, and what a rule based it on. */
export type RefundRow = { refund: AlertRefund; begun: BegunRefund | null };

/** `nextCheckAt` is an attribute of its own for readers of the stream. */
const toRefundItem = ({ refund, begun }: RefundRow): Item => {
  const { alertId, nextCheckAt } = refund;
  return {
    ...keys.refund(alertId),
    ...RefundRow.stamp,
    id: alertId,
    ...(nextCheckAt !== null && { ...refundDue.keys(nextCheckAt, alertId), nextCheckAt }),
    ...(begun && { begun }),
    refund,
  };
};

/** Reads the row back; undefined where there is none, or only a rule's note of a refund of our own payment. */
export const fromRefundItem = (item: Item | undefined): RefundRow | undefined => {
  const refund = RefundRow.find(item);
  return refund && { refund, begun: fromBegunItem(item) ?? null };
};

const asRead = ({ version }: AlertRefund) => requireVersion(version, 'refund');

/** An alert's earlier failed refunds: one at the merchant's own processor, and the number of one of a payment taken here. */
export type FailedBefore = { elsewhere: AlertRefund | undefined; here: number | null };

/** The part of a transaction that begins a refund. Its condition fails if another was begun, except for those that failed before. */
export const newRefundWrite = (row: RefundRow, { elsewhere, here }: FailedBefore): Write => {
  const read = elsewhere
    ? asRead(elsewhere)
    : { ConditionExpression: 'attribute_not_exists(#refund)', ExpressionAttributeNames: { '#refund': 'refund' } };
  const { condition, names, values } = notRefundedHere(here);
  const known = { ...('ExpressionAttributeValues' in read && read.ExpressionAttributeValues), ...values };
  return {
    Put: {
      Item: toRefundItem(row),
      ConditionExpression: `${read.ConditionExpression} AND ${condition}`,
      ExpressionAttributeNames: { ...read.ExpressionAttributeNames, ...names },
      ...(Object.keys(known).length > 0 && { ExpressionAttributeValues: known }),
    },
  };
};

/** The part that writes its next state. Its condition fails if it is not as it was read. */
export const changedRefundWrite = (before: AlertRefund, after: RefundRow): Write => ({
  Put: { Item: toRefundItem(after), ...asRead(before) },
});
