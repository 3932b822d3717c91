import { defineOperation } from '../core/operation.ts';
import {
  AuthBody,
  CaptureBody,
  ParentPath,
  RefundBody,
  RefundResult,
  RequeryBody,
  RequeryQuery,
} from './follow-up-schemas.ts';
import { IdPath, StatusQuery, TransactionResult } from './schemas.ts';

/** What is done to a transaction that was made. */

const area = 'transactions';

/** Whatever asks the processor that took the payment. */
const asking = {
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'], secrets: ['encryption'] },
  variables: ['ALLOW_SANDBOX', 'ALLOW_LOOPBACK_HTTP'],
  memoryMegabytes: 512,
} as const;

/** Whatever asks it what became of something as well: what is known of payments at Adyen is in the table. */
const querying = {
  grants: { ...asking.grants, table: [...asking.grants.table, 'Query'] },
} as const;

const bySite = { ...asking, area, auth: 'site', reply: TransactionResult, errorShape: 'transaction' } as const;

export const processRefund = defineOperation({
  ...asking,
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
});

export const flagCapture = defineOperation({
  ...bySite,
  name: 'flagcapture',
  summary: 'Capture an authorisation',
  description:
    'Has the processor capture a PREAUTH, as a whole and once, and answers the CAPTURE. One that the processor refuses is 200 with ' +
    'status EXC, and may be tried again.',
  method: 'POST',
  path: '/api/v1/index.php/{id}/flagcapture',
  params: IdPath,
  body: CaptureBody,
  formats: ['form', 'json'],
  errors: [
    'hash_wrong',
    'site_not_for_payments',
    'transaction_not_found',
    'transaction_state_wrong',
    'amount_not_available',
    'changed_meanwhile',
  ],
});

export const sendAuth = defineOperation({
  ...bySite,
  ...querying,
  name: 'sendauth',
  summary: 'Go on with a payment by what the payer answered',
  description:
    'For a payment whose `next_action` asks the payer for something, such as the code of an SMS. A wrong code leaves it PEND as ' +
    'long as another may be tried. A number that is in no use is answered like a wrong hash.',
  method: 'POST',
  path: '/api/v1/index.php/{id}/sendauth',
  params: IdPath,
  body: AuthBody,
  formats: ['multipart', 'form', 'json'],
  errors: ['hash_wrong', 'transaction_state_wrong'],
});

export const resendAuth = defineOperation({
  ...bySite,
  name: 'resendauth',
  summary: 'Have the code sent to the payer once more',
  description:
    'For a payment whose `next_action` asks for a code. A number that is in no use is answered like a wrong hash.',
  method: 'GET',
  path: '/api/v1/index.php/{id}/resendauth',
  params: StatusQuery,
  errors: ['hash_wrong', 'transaction_state_wrong'],
});

export const requery = defineOperation({
  ...bySite,
  ...querying,
  name: 'requery',
  summary: 'Ask the processor what became of a transaction',
  description:
    'A transaction that is final is answered as it is. `reference` and `postback_url`, where they are sent, replace those of the ' +
    'transaction. Send the rcode in the body: an address ends up in more logs. A number that is in no use is answered like a ' +
    'wrong rcode.',
  method: 'POST',
  path: '/api/v1/index.php/{id}/requery',
  params: RequeryQuery,
  body: RequeryBody,
  formats: ['form', 'json'],
  errors: ['rcode_wrong'],
  variables: [...asking.variables, 'EXTRA_WEBHOOK_PORTS'],
});

export const followUpOperations = [processRefund, flagCapture, sendAuth, resendAuth, requery] as const;
