import * as v from 'valibot';
import {
  AmountNumberReply,
  CurrencyReply,
  DescriptorReply,
  ErrorCodeReply,
  ErrorMsgReply,
  SiteIdReply,
  TransactionIdReply,
} from '#core/kernel/schema/field-schemas.ts';
import { describeField, text } from '#core/kernel/schema/field-words.ts';
import { namingAmounts } from '#core/kernel/schema/naming.ts';
import { Flag, Id } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { AmountText, Maybe, PaidCurrencyCode, referenceFields } from '#payments/payments/request-schemas.ts';
import {
  OwnReferenceReply,
  ParentTxidReply,
  StatusReply,
  TidReply,
  TxActionReply,
} from '#payments/transactions/field-schemas.ts';
import { asking, ParentPath } from '#payments/transactions/follow-up/follow-up-declarations.ts';
import { conversionFields } from '#payments/transactions/schemas.ts';

export const ProcessRefundBody = namingAmounts(
  v.object({
    amount: describeField(
      v.optional(AmountText),
      'A decimal with as many places as the currency has; absent: what is left of the payment. Empty or null is refused.',
    ),
    currency: describeField(v.optional(PaidCurrencyCode), 'ISO 4217, three letters; required with `amount`.'),
    alert_id: describeField(
      Maybe(Id),
      'The alert that it is refunded for; absent: the open alert that holds the payment.',
    ),
    tid: referenceFields.tid,
    again: describeField(Maybe(Flag), 'True: refund what an alert’s answer says was refunded elsewhere; for managers.'),
    answer: describeField(
      Maybe(Flag),
      'False leaves the alert about the payment open; otherwise the refund answers it, with 100.001 or 101.001.',
    ),
  }),
  ['amount', 'currency'],
);

export const RefundResult = v.object({
  sid: SiteIdReply,
  status: StatusReply,
  parent_txid: ParentTxidReply,
  txid: TransactionIdReply,
  tx_action: TxActionReply,
  amount: AmountNumberReply,
  amount_text: text('The amount with all decimals of its currency.'),
  currency: CurrencyReply,
  tid: TidReply,
  ref1: OwnReferenceReply,
  ref2: OwnReferenceReply,
  ref3: OwnReferenceReply,
  ref4: OwnReferenceReply,
  ...conversionFields,
  comment: text('Why it is refunded.'),
  descriptor: DescriptorReply,
  pay_method: text('How it was paid.'),
  error_code: v.optional(ErrorCodeReply),
  error_msg: v.optional(ErrorMsgReply),
});

export const processRefundOperation = defineOperation('refunds/processrefund', {
  ...asking,
  tag: 'transactions',
  summary: 'Refund a payment, in full or in part',
  description:
    'The path names the payment, or the capture of it. Without `amount`, what is left when the call arrives is refunded: not what was refunded, is being ' +
    'refunded, or is held by another alert. An authorisation that is not captured is voided instead, always in full. A refund that the processor refuses returns 200 with ' +
    'status EXC. PEND continues without another call and ends with a postback to the URL of the payment. A refund of a payment that an ' +
    'open dispute alert holds answers the alert, whether or not it names the `alert_id`. The same `tid` with the same body returns the same refund.',
  grants: { ...asking.grants, table: [...asking.grants.table, 'DeleteItem'], indexes: ['list1', 'list2', 'list3f'] },
  method: 'POST',
  path: '/api/v3/service_process/transaction/{parentxid}/processrefund',
  auth: 'bearer',
  permission: 'refunds',
  siteKeys: 'found',
  idempotent: true,
  roles: ['analyst', 'manager'],
  params: ParentPath,
  body: ProcessRefundBody,
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
