import { TransactionIdPath, TransactionResultSchema } from '../schemas.ts';

export const starting = {
  method: 'POST',
  auth: 'site',
  signable: true,
  params: TransactionIdPath,
  formats: ['form', 'json'],
  reply: TransactionResultSchema,
  errorShape: 'transaction',
  idempotent: true,
  errors: ['hash_wrong', 'site_not_for_payments', 'tid_reused', 'tid_needed'],
  grants: {
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    secrets: ['encryption', 'minfraud', 'sift'],
  },
  variables: ['ALLOW_SANDBOX', 'ALLOW_LOOPBACK_HTTP', 'EXTRA_WEBHOOK_PORTS', 'MINFRAUD_URL', 'SIFT_URL'],
  memoryMegabytes: 512,
} as const;

/** A payment stores its order if its merchant keeps orders, and deletes the order again if the payment fails. */
export const charging = {
  ...starting,
  // True if a card has paid before is in its list.
  grants: { ...starting.grants, table: [...starting.grants.table, 'DeleteItem'], indexes: ['list2'] },
} as const;
