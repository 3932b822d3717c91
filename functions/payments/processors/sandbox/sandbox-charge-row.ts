import * as v from 'valibot';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { type SandboxCharge, untouched } from './sandbox-charges.ts';

const ChargeRow = defineRow<SandboxCharge>({
  entity: 'SANDBOXCHARGE',
  attribute: 'charge',
  schema: v.looseObject({
    refunds: v.array(v.looseObject({ key: v.string(), minor: v.string(), at: v.string(), state: v.string() })),
    isCancelled: v.boolean(),
    version: v.number(),
  }),
});

export const toSandboxChargeItem = (mid: number, reference: string, charge: SandboxCharge): Item => ({
  ...keys.sandboxCharge(mid, reference),
  ...ChargeRow.stamp,
  charge,
});

/** A charge without a row is as it was made. */
export const fromSandboxChargeItem = (item: Item | undefined): SandboxCharge => ChargeRow.find(item) ?? untouched;
