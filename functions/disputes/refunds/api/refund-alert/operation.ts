import * as v from 'valibot';
import {
  AlertIdReply,
  AmountReply,
  CurrencyReply,
  ErrorCodeReply,
  ErrorMsgReply,
} from '#core/kernel/schema/field-schemas.ts';
import { describeField, nullableCount, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { namingAmounts } from '#core/kernel/schema/naming.ts';
import { Flag, Id, Ok } from '#core/kernel/schema/schema.ts';
import { MaskedText, Text } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { alertStatuses } from '#disputes/alerts/alert.ts';
import { AlertParams } from '#disputes/alerts/schemas.ts';
import { orAbsent, ProviderAmountText, ProviderCurrencyCode } from '#disputes/providers/provider-fields.ts';

const fields = {
  txid: describeField(
    orAbsent(Id),
    'The payment, if several fit the alert: one of its `potential_txids`. Absent: the one it holds.',
  ),
  amount: describeField(
    orAbsent(ProviderAmountText),
    'If absent: the disputed amount, or what is left of the payment if that is less; for an authorisation, all of it.',
  ),
  currency: describeField(orAbsent(ProviderCurrencyCode), "Absent: the payment's."),
  reason_code: describeField(
    orAbsent(v.pipe(v.string(), v.regex(/^\d{3}\.001$/, 'must be a reason code that says refunded, such as 100.001'))),
    'What the network is told; absent: 100.001, or 101.001 if less is refunded than disputed.',
  ),
  comments: describeField(
    orAbsent(MaskedText(2000)),
    'Words that go to the provider with the answer, 1,024 characters at most.',
  ),
  merchant_notes: describeField(orAbsent(MaskedText(5000)), 'For your colleagues: the network is not told.'),
  answer: describeField(orAbsent(Flag), 'False leaves the alert open.'),
  connection: describeField(
    orAbsent(Text(40)),
    'For a charge at one of your own processors: the connection, as `…/transactions` names it.',
  ),
  reference: describeField(orAbsent(Text(200)), "The processor's own of that charge."),
};
const Body = namingAmounts(
  v.pipe(
    v.object(fields),
    v.forward(
      v.partialCheck(
        [['connection'], ['reference']],
        ({ connection, reference }) => (connection === undefined) === (reference === undefined),
        'must be given with connection, and only with it',
      ),
      ['reference'],
    ),
    v.forward(
      v.partialCheck(
        [['txid'], ['connection']],
        ({ txid, connection }) => txid === undefined || connection === undefined,
        'must not be given with connection',
      ),
      ['txid'],
    ),
  ),
  ['amount', 'currency'],
);

export type RefundAlertBody = v.InferOutput<typeof Body>;

export const RefundDto = v.object({
  txid: nullableCount('Of a refund of a payment that was taken here.'),
  parent_txid: nullableCount('The payment that was refunded, if it was taken here.'),
  reference: text("The processor's own of the payment; empty where it has none."),
  refund_reference: nullableText("The processor's own of the refund."),
  tx_action: describeField(
    v.picklist(['REFUND', 'VOID']),
    'What is done: PAYMENT, PREAUTH, CAPTURE, REFUND, VOID or PAYOUT.',
  ),
  status: describeField(
    v.picklist(['OK', 'PEND', 'EXC']),
    'PEND: not known yet; it goes on by itself and answers the alert when it is.',
  ),
  amount: AmountReply,
  currency: CurrencyReply,
  error_code: v.nullable(ErrorCodeReply),
  error_msg: v.nullable(ErrorMsgReply),
});

export const refundAlertOperation = defineOperation('refunds/refund-alert', {
  summary: "Refund an alert's payment and answer the alert with it",
  description:
    'The refund and the answer are one act: once the refund is done, the alert is RESOLVED with 100.001 or 101.001 in the same ' +
    'transaction; while its result is not known, the alert is WIP (999.002). An alert is refunded once, so that the same ' +
    'call again returns the same refund; one that the processor refused, with status EXC, may be tried again.',
  method: 'POST',
  path: '/api/v3/service_alerts/alert/{alert_id}/refund',
  auth: 'bearer',
  permission: 'refunds',
  tool: {
    kind: 'act',
    consequences:
      'The payment of the alert is refunded to the cardholder, and unless answer is false, the alert is answered as refunded to the card network. Without an amount, the disputed amount is refunded. Neither can be undone.',
    about: 'alerts/alert-details',
  },
  siteKeys: 'found',
  idempotent: true,
  roles: ['analyst', 'manager'],
  params: AlertParams,
  body: Body,
  reply: v.object({
    ...Ok.entries,
    alert_id: AlertIdReply,
    alert_status: describeField(v.picklist(alertStatuses), 'The alert’s status now.'),
    transaction: describeField(RefundDto, 'The refund.'),
  }),
  errors: [
    'alert_not_found',
    'payment_not_linked',
    'connection_not_found',
    'connection_unavailable',
    'alert_closed',
    'alert_takes_no_outcome',
    'reason_code_invalid',
    'amount_not_available',
    'already_refunded_for_dispute',
    'dispute_open',
    'charged_back',
    'refund_not_allowed',
    'transaction_state_wrong',
    'changed_meanwhile',
  ],
  grants: {
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    indexes: ['list1', 'list3f'],
    secrets: ['encryption'],
  },
  variables: ['ALLOW_SANDBOX', 'ALLOW_LOOPBACK_HTTP', 'EXTRA_WEBHOOK_PORTS'],
  memoryMegabytes: 512,
});
