import * as v from 'valibot';
import { texts } from '#core/kernel/schema/shape-fields.ts';
import { requireNew, requireVersion, type Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { ChargeRefunds } from './reservation.ts';

const ChargeRefundsRow = defineRow<ChargeRefunds>({
  entity: 'CHARGEREFUNDS',
  attribute: 'charge',
  schema: v.looseObject({
    ...texts('connection', 'reference', 'before'),
    refunds: v.record(v.string(), v.looseObject({ minor: v.string(), isDone: v.boolean() })),
    version: v.number(),
  }),
});

/** Reads the refunds of a charge; undefined if there are none yet. */
export const fromChargeRefundsItem = ChargeRefundsRow.find;

/** The part of a transaction that writes it. Its condition fails if it is not as it was read. */
export const chargeRefundsWrite = (charge: ChargeRefunds): Write => ({
  Put: {
    Item: { ...keys.chargeRefunds(charge.connection, charge.reference), ...ChargeRefundsRow.stamp, charge },
    ...(charge.version === 1 ? requireNew : requireVersion(charge.version - 1, 'charge')),
  },
});
