import { keys } from '../../core/keys.ts';
import type { Item } from '../../core/table.ts';
import type { SandboxPayment } from './sandbox.ts';

export const toSandboxItem = (payment: SandboxPayment): Item => ({
  ...keys.sandboxPayment(payment.id),
  entity: 'SANDBOX',
  payment,
});

/** Reads a payment back. The table holds only what toSandboxItem wrote. */
export const fromSandboxItem = (item: Item): SandboxPayment => item['payment'] as SandboxPayment;
