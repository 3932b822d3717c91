import { defineOperation } from '../core/operation.ts';
import { ParentPath, RefundBody, RefundResult } from './follow-up-schemas.ts';

/** What is done to a transaction that was made. */

const area = 'transactions';
/** Whatever asks a processor: the one that took the payment. */
const asking = {
  secrets: ['encryption'],
} as const;
const variables = ['ALLOW_SANDBOX', 'ALLOW_LOOPBACK_HTTP'] as const;

export const processRefund = defineOperation({
  area,
  name: 'processrefund',
  summary: 'Refund a payment, as a whole or in part',
  description:
    'An authorisation that is not captured is voided instead, always as a whole. A refund that the processor refuses is 200 with ' +
    'status EXC; PEND goes on by itself and ends with a postback to the URL of the payment. What an open dispute alert holds is ' +
    'refunded with its `alert_id` only, and once. The same `tid` with the same body answers the same refund.',
  method: 'POST',
  path: '/api/v3/service_process/transaction/{parentxid}/processrefund',
  auth: 'bearer',
  params: ParentPath,
  body: RefundBody,
  formats: ['form', 'json'],
  reply: RefundResult,
  errors: [
    'transaction_not_found',
    'alert_not_found',
    'refund_not_allowed',
    'transaction_state_wrong',
    'amount_not_available',
    'dispute_open',
    'tid_reused',
    'changed_meanwhile',
  ],
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'], ...asking },
  variables,
  memoryMegabytes: 512,
});

export const followUpOperations = [processRefund] as const;
