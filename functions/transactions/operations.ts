import { defineOperation } from '../core/operation.ts';
import { followUpOperations } from './follow-up-operations.ts';
import { ConvertNPayBody, IdPath, PayoutBody, SingleTxBody, StatusQuery, TransactionResult } from './schemas.ts';

const area = 'transactions';
const errorShape = 'transaction';

const starting = {
  area,
  method: 'POST',
  auth: 'site',
  params: IdPath,
  formats: ['form', 'json'],
  reply: TransactionResult,
  errorShape,
  errors: ['hash_wrong', 'site_not_for_payments', 'tid_reused'],
  grants: {
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    secrets: ['encryption', 'minfraud'],
  },
  variables: ['ALLOW_SANDBOX', 'ALLOW_LOOPBACK_HTTP', 'EXTRA_WEBHOOK_PORTS', 'MINFRAUD_URL'],
  memoryMegabytes: 512,
} as const;

export const singleTx = defineOperation({
  ...starting,
  name: 'singletx',
  summary: 'Pay, or authorise, with a card',
  description:
    'PAYMENT charges, PREAUTH only authorises until flagcapture. A decline is 200 with status EXC; PEND goes on by itself or ' +
    'by what `next_action` says, and ends with a postback. The same `tid` with the same body answers the same transaction.',
  path: '/api/v1/index.php/{id}/singletx',
  body: SingleTxBody,
});

export const convertNPay = defineOperation({
  ...starting,
  name: 'convertnpay',
  summary: "Pay in the site's currency what is priced in another",
  description:
    "The total is converted to the currency of the site's descriptor at the service's own rate, the margin included; both " +
    'amounts and the rate are kept, and a refund uses the same rate.',
  path: '/api/v1/index.php/{id}/convertnpay',
  body: ConvertNPayBody,
  errors: [...starting.errors, 'rate_missing'],
});

export const payout = defineOperation({
  ...starting,
  name: 'payout',
  summary: 'Send money to a card',
  description: 'What is sent is kept back from the balance of the site at once, and taken from it when it has arrived.',
  path: '/api/v1/index.php/{id}/payout',
  body: PayoutBody,
});

export const getStatus = defineOperation({
  area,
  name: 'getstatus',
  summary: 'Read the status of a transaction',
  description: 'As it is known; requery asks the processor. A number that is in no use is answered like a wrong hash.',
  method: 'GET',
  path: '/api/v1/index.php/{id}/getstatus',
  auth: 'site',
  params: StatusQuery,
  reply: TransactionResult,
  errorShape,
  errors: ['hash_wrong'],
  grants: { table: ['GetItem'], secrets: ['encryption'] },
});

export const transactionOperations = [singleTx, convertNPay, payout, getStatus, ...followUpOperations] as const;
