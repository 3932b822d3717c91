import { keys } from '../../core/keys.ts';
import type { Item } from '../../core/table.ts';
import { type SandboxCharge, untouched } from './sandbox-charges.ts';

export const toSandboxChargeItem = (mid: number, reference: string, charge: SandboxCharge): Item => ({
  ...keys.sandboxCharge(mid, reference),
  entity: 'SANDBOXCHARGE',
  charge,
});

/** A charge without a row is as it was made. The table holds only what toSandboxChargeItem wrote. */
export const fromSandboxChargeItem = (item: Item | undefined): SandboxCharge =>
  (item?.['charge'] as SandboxCharge | undefined) ?? untouched;
