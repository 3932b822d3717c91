import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Id } from '#core/kernel/schema/schema.ts';
import { TransactionResultSchema } from '../schemas.ts';

/** The parts of declarations for operations on an existing transaction. */

export const ParentPath = v.object({ parentxid: describeField(Id, 'The payment.') });

/** For operations that ask the processor that took the payment. */
export const asking = {
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'], secrets: ['encryption'] },
  variables: ['ALLOW_SANDBOX', 'ALLOW_LOOPBACK_HTTP'],
  memoryMegabytes: 512,
} as const;

/** For operations that may find that a payment failed: its order is removed with it. */
export const deciding = {
  grants: { ...asking.grants, table: [...asking.grants.table, 'DeleteItem'] },
} as const;

/** For operations that also query the processor: what is known of payments at Adyen is in the table. */
export const querying = {
  grants: { ...deciding.grants, table: [...deciding.grants.table, 'Query'] },
} as const;

export const followUpBySite = {
  ...asking,
  auth: 'site',
  reply: TransactionResultSchema,
  errorShape: 'transaction',
} as const;
