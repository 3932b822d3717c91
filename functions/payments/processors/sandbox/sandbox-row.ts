import * as v from 'valibot';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { SandboxPayment } from './sandbox.ts';

const SandboxRow = defineRow<SandboxPayment>({
  entity: 'SANDBOX',
  attribute: 'payment',
  schema: v.looseObject({
    id: v.string(),
    sid: v.number(),
    txid: v.number(),
    kind: v.string(),
    minor: v.string(),
    currency: v.string(),
    capture: v.boolean(),
    begunAt: v.number(),
    stage: v.string(),
    error: v.nullable(v.string()),
    refunded: v.string(),
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
    version: v.number(),
  }),
});

export const toSandboxItem = (payment: SandboxPayment): Item => ({
  ...keys.sandboxPayment(payment.id),
  ...SandboxRow.stamp,
  payment,
});

/** Reads a payment back. */
export const fromSandboxItem = SandboxRow.read;
