import * as v from 'valibot';
import { numbers, texts } from '#core/kernel/schema/shape-fields.ts';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { SandboxPayment } from './sandbox.ts';

const SandboxRow = defineRow<SandboxPayment>({
  entity: 'SANDBOX',
  attribute: 'payment',
  schema: v.looseObject({
    ...texts('id', 'kind', 'minor', 'currency', 'stage', 'refunded'),
    ...numbers('sid', 'txid', 'begunAt', 'version'),
    capture: v.boolean(),
    error: v.nullable(v.string()),
    expiresAt: v.nullable(v.string()),
    page: v.nullable(
      v.looseObject({ secret: v.string(), url: v.string(), returnUrl: v.string(), payee: v.nullable(v.string()) }),
    ),
    tries: v.array(v.string()),
    operations: v.record(
      v.string(),
      v.looseObject({
        kind: v.string(),
        minor: v.string(),
        refused: v.nullable(v.string()),
        readyAt: v.nullable(v.string()),
      }),
    ),
  }),
});

export const toSandboxItem = (payment: SandboxPayment): Item => ({
  ...keys.sandboxPayment(payment.id),
  ...SandboxRow.stamp,
  payment,
});

/** Reads a payment back. */
export const fromSandboxItem = SandboxRow.read;
