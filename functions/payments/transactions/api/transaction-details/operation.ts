import * as v from 'valibot';
import {
  AtReply,
  AuthenticationIdReply,
  ByReply,
  ChargebackIdReply,
  CreatedAtReply,
  CurrencyReply,
  DescriptorReply,
  MerchantIdReply,
  NextAttemptAtReply,
  RetailerIdReply,
  TransactionIdReply,
  UpdatedAtReply,
} from '#core/kernel/schema/field-schemas.ts';
import { describeField, flag, nullableCount, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { deliveryStates } from '#messaging/webhooks/delivery/delivery.ts';
import { buyerFields } from '#payments/orders/field-schemas.ts';
import { RefundedAlertIdReply, TxActionReply, threeDsReplyFields } from '../../field-schemas.ts';
import { ParentPath } from '../../follow-up/follow-up-declarations.ts';
import { paymentEvents } from '../../transaction/payment-history.ts';
import { shownFields } from '../../transaction/transaction-dto-schemas.ts';

const Amount = v.string();

/** The amounts of a payment. */
export const LedgerDto = v.object({
  currency: CurrencyReply,
  authorized: describeField(Amount, 'What was authorised.'),
  captured: describeField(Amount, 'What was captured.'),
  refunded: describeField(Amount, 'How much was refunded.'),
  voided: describeField(Amount, 'What was released without a capture.'),
  paid_out: describeField(Amount, 'What was paid out.'),
  refundable: describeField(Amount, 'What can be refunded without naming an alert.'),
  in_flight: describeField(
    v.array(
      v.object({
        txid: TransactionIdReply,
        kind: text('What kind it is.'),
        amount: describeField(Amount, 'A decimal with as many places as the currency has.'),
        alert_id: v.nullable(RefundedAlertIdReply),
      }),
    ),
    'What is under way.',
  ),
  chargebacks: describeField(
    v.array(
      v.object({
        chargeback_id: ChargebackIdReply,
        amount: describeField(Amount, 'The amount that the issuer has charged back.'),
        money_taken: flag('True while the issuer has the money.'),
        refunded_by_network: flag('True if the network refunded the cardholder instead of a chargeback.'),
      }),
    ),
    'Chargebacks of the payment, except inquiries and chargebacks that were won.',
  ),
});

export const TransactionDetails = v.object({
  ...shownFields,
  mid: MerchantIdReply,
  rid: RetailerIdReply,
  refs: describeField(v.array(v.string()), 'Your further references.'),
  descriptor: v.nullable(DescriptorReply),
  processor: nullableText('The processor.'),
  processor_reference: nullableText('The processor’s own number of it.'),
  email: nullableText('An e-mail address.'),
  ...buyerFields,
  by: nullableText('Who asked for a refund or a void; null: the site, by its rcode.'),
  original_amount: nullableText('The amount that was asked for, where it was converted.'),
  original_currency: nullableText('The currency that was asked for, where it was converted.'),
  updated_at: UpdatedAtReply,
  next_check_at: nullableText('When the processor is asked again; null once the status is final.'),
  ledger: describeField(LedgerDto, 'How much of the payment is where.'),
  children: describeField(
    v.array(v.object({ ...shownFields, alert_id: v.nullable(RefundedAlertIdReply), by: v.nullable(ByReply) })),
    'What was done to the payment, oldest first.',
  ),
  alerts: describeField(
    v.array(
      v.object({
        alert_id: RefundedAlertIdReply,
        open: flag('Whether the alert awaits an answer.'),
        held: describeField(Amount, 'What the alert keeps from other refunds.'),
        refund_txid: nullableCount('The refund that was made for the alert; null if none was.'),
      }),
    ),
    'The dispute alerts about it.',
  ),
  three_ds: describeField(
    v.nullable(
      v.object({
        ...threeDsReplyFields,
        authentication_id: v.nullable(AuthenticationIdReply),
        outcome: nullableText('The result of the authentication.'),
        liability_shift: describeField(
          v.nullable(v.boolean()),
          'Whether the issuer is expected to bear a fraud chargeback.',
        ),
      }),
    ),
    'The authentication that the payment was made with; null: with none.',
  ),
  order_id: nullableCount('The order that is kept of it, if you keep orders.'),
  postbacks: describeField(
    v.array(
      v.object({
        id: text('The delivery.'),
        state: describeField(
          v.picklist(deliveryStates),
          'PENDING while it is tried, DELIVERED, EXPIRED after 72 hours, CANCELLED when the answer came first.',
        ),
        created_at: CreatedAtReply,
        next_attempt_at: v.nullable(NextAttemptAtReply),
        status: nullableCount('The HTTP status of the last attempt; null: none, or it was not answered.'),
        error: nullableText('What went wrong; null if nothing did.'),
      }),
    ),
    'What your endpoint was told about it, newest first, at most twenty.',
  ),
  history: describeField(
    v.array(
      v.object({
        at: AtReply,
        event: describeField(
          v.picklist(paymentEvents),
          'What happened: `asked`, `done`, `failed`, `disputed` (an alert) or `charged_back` (until it is won).',
        ),
        txid: v.nullable(TransactionIdReply),
        tx_action: v.nullable(TxActionReply),
        amount: describeField(v.nullable(Amount), 'A decimal with as many places as the currency has.'),
        currency: v.nullable(CurrencyReply),
        by: v.nullable(ByReply),
        alert_id: v.nullable(RefundedAlertIdReply),
        chargeback_id: nullableText('The chargeback of `charged_back`.'),
        why: nullableText('Why it failed; null where it did not.'),
      }),
    ),
    'What happened to it, oldest first: asked for, done, failed, disputed, charged back.',
  ),
});

export const transactionDetailsOperation = defineOperation('transactions/transaction-details', {
  summary: 'Show a payment with its ledger and what was done to it',
  description:
    'Captures, refunds and voids, the alerts that hold some of it, what 3-D Secure came to, its order, its postbacks and all that ' +
    'happened to it in order. Of the number of a refund: its payment.',
  method: 'POST',
  path: '/api/v3/service_process/transaction/{parentxid}/details',
  auth: 'bearer',
  permission: 'payments:read',
  tool: { kind: 'read' },
  siteKeys: 'found',
  params: ParentPath,
  reply: TransactionDetails,
  errors: ['transaction_not_found'],
  grants: { table: ['GetItem', 'BatchGetItem'], indexes: ['list2', 'list3'] },
});
