import * as v from 'valibot';
import { texts } from '#core/kernel/schema/shape-fields.ts';
import { type Item, requireNew, requireVersion, type Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { DisputeFees } from './dispute-fee.ts';

const FeesRow = defineRow<DisputeFees>({
  entity: 'CHARGEBACK_FEES',
  attribute: 'fees',
  schema: v.looseObject({
    list: v.array(
      v.looseObject({
        processor: v.nullable(v.string()),
        ...texts('currency', 'disputeFee', 'counterFee'),
        isCounterReturned: v.boolean(),
      }),
    ),
    version: v.number(),
    updatedAt: v.string(),
    by: v.string(),
  }),
});

/** Reads a merchant's fees back; undefined if none were ever set. */
export const fromFeesItem = FeesRow.find;

/** The part of a transaction that replaces a merchant's fees. Its condition fails if they have changed since they were read. */
export const feesWrite = (mid: number, fees: DisputeFees): Write => ({
  Put: {
    Item: { ...keys.chargebackFees(mid), ...FeesRow.stamp, fees } satisfies Item,
    ...(fees.version === 1 ? requireNew : requireVersion(fees.version - 1, 'fees')),
  },
});
