import { TransactionResult } from './schemas.ts';

/** What is done to a transaction that was made. */

/** Whatever asks the processor that took the payment. */
export const asking = {
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'], secrets: ['encryption'] },
  variables: ['ALLOW_SANDBOX', 'ALLOW_LOOPBACK_HTTP'],
  memoryMegabytes: 512,
} as const;

/** Whatever a payment may come to nothing by: the order that it brought goes with it. */
export const deciding = {
  grants: { ...asking.grants, table: [...asking.grants.table, 'DeleteItem'] },
} as const;

/** Whatever asks it what became of something as well: what is known of payments at Adyen is in the table. */
export const querying = {
  grants: { ...deciding.grants, table: [...deciding.grants.table, 'Query'] },
} as const;

export const bySite = {
  ...asking,
  area: 'transactions',
  auth: 'site',
  reply: TransactionResult,
  errorShape: 'transaction',
} as const;
