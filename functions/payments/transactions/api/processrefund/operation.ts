import * as v from 'valibot';
import { namingAmounts } from '#core/kernel/schema/naming.ts';
import { Flag, Id } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { AmountText, CurrencyCode, Maybe, referenceFields } from '#payments/payments/request-schemas.ts';
import { asking } from '../../follow-up/follow-up-declarations.ts';
import { conversionFields } from '../../schemas.ts';
import { txActions, txStatuses } from '../../transaction/transaction.ts';

export const ParentPath = v.object({ parentxid: Id });

export const RefundBody = namingAmounts(
  v.object({
    amount: AmountText,
    currency: CurrencyCode,
    alert_id: Maybe(Id),
    tid: referenceFields.tid,
    again: v.pipe(
      Maybe(Flag),
      v.description('True: refund what an alert’s answer says was refunded elsewhere; for managers.'),
    ),
    answer: v.pipe(
      Maybe(Flag),
      v.description(
        'With `alert_id`: false leaves the alert open; otherwise the refund answers it, with 100.001 or 101.001.',
      ),
    ),
  }),
  ['amount', 'currency'],
);

export const RefundResult = v.object({
  sid: v.number(),
  status: v.picklist(txStatuses),
  parent_txid: v.number(),
  txid: v.number(),
  tx_action: v.picklist(txActions),
  amount: v.number(),
  amount_text: v.string(),
  currency: v.string(),
  tid: v.string(),
  ref1: v.string(),
  ref2: v.string(),
  ref3: v.string(),
  ref4: v.string(),
  ...conversionFields,
  comment: v.string(),
  descriptor: v.string(),
  pay_method: v.string(),
  error_code: v.optional(v.string()),
  error_msg: v.optional(v.string()),
});

export const processRefund = defineOperation({
  ...asking,
  area: 'transactions',
  name: 'processrefund',
  summary: 'Refund a payment, in full or in part',
  description:
    'The path names the payment, or the capture of it. An authorisation that is not captured is voided instead, always in full. A refund that the processor refuses is 200 with ' +
    'status EXC; PEND goes on by itself and ends with a postback to the URL of the payment. What an open dispute alert holds is ' +
    'refunded with its `alert_id` only, and once; that answers the alert. The same `tid` with the same body returns the same refund.',
  grants: { ...asking.grants, table: [...asking.grants.table, 'DeleteItem'], indexes: ['list3f'] },
  method: 'POST',
  path: '/api/v3/service_process/transaction/{parentxid}/processrefund',
  auth: 'bearer',
  roles: ['analyst', 'manager'],
  params: ParentPath,
  body: RefundBody,
  formats: ['form', 'json'],
  reply: RefundResult,
  errors: [
    'transaction_not_found',
    'alert_not_found',
    'refund_not_allowed',
    'transaction_state_wrong',
    'already_refunded_for_dispute',
    'amount_not_available',
    'dispute_open',
    'charged_back',
    'tid_reused',
    'changed_meanwhile',
  ],
});
