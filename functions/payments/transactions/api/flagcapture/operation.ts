import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Id } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { AmountText, MaybeHash } from '#payments/payments/request-schemas.ts';
import { followUpBySite } from '../../follow-up/follow-up-declarations.ts';
import { TransactionIdPath } from '../../schemas.ts';

export const CaptureBody = v.object({
  parent_txid: describeField(Id, 'The payment that all its captures, refunds and voids belong to.'),
  amount: describeField(AmountText, 'A decimal with as many places as the currency has.'),
  hash: MaybeHash,
});

export const flagCaptureOperation = defineOperation('transactions/flagcapture', {
  ...followUpBySite,
  signable: true,
  summary: 'Capture an authorisation',
  description:
    'Has the processor capture a PREAUTH, in full and once, and returns the CAPTURE. If the processor refuses it, the answer is 200 with ' +
    'status EXC, and the capture may be tried again.',
  method: 'POST',
  path: '/api/v1/index.php/{id}/flagcapture',
  idempotent: true,
  params: TransactionIdPath,
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
