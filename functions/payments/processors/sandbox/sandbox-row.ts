import * as v from 'valibot';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { SandboxPayment } from './sandbox.ts';

const SandboxRow = defineRow<SandboxPayment>({
  entity: 'SANDBOX',
  attribute: 'payment',
  fields: { id: v.string() },
});

export const toSandboxItem = (payment: SandboxPayment): Item => ({
  ...keys.sandboxPayment(payment.id),
  ...SandboxRow.stamp,
  payment,
});

/** Reads a payment back. */
export const fromSandboxItem = SandboxRow.read;
