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
import { defineOperation } from '#core/platform/operation/operation.ts';
import { deliveryStates } from '#messaging/webhooks/delivery/delivery.ts';
import { RefundedAlertIdReply, TxActionReply, threeDsReplyFields } from '../../field-schemas.ts';
import { ParentPath } from '../../follow-up/follow-up-declarations.ts';
import { paymentEvents } from '../../transaction/payment-history.ts';
import { shownFields } from '../../transaction/transaction-dto-schemas.ts';

const Amount = v.string();

/** The amounts of a payment. */
export const LedgerDto = v.object({
  currency: CurrencyReply,
  authorized: v.pipe(Amount, v.description('What was authorised.')),
  captured: v.pipe(Amount, v.description('What was captured.')),
  refunded: v.pipe(Amount, v.description('What was refunded.')),
  voided: v.pipe(Amount, v.description('What was released without a capture.')),
  paid_out: v.pipe(Amount, v.description('What was paid out.')),
  refundable: v.pipe(Amount, v.description('What can be refunded without naming an alert.')),
  in_flight: v.pipe(
    v.array(
      v.object({
        txid: TransactionIdReply,
        kind: v.pipe(v.string(), v.description('What kind it is.')),
        amount: v.pipe(Amount, v.description('A decimal with as many places as the currency has.')),
        alert_id: v.nullable(RefundedAlertIdReply),
      }),
    ),
    v.description('What is under way.'),
  ),
  chargebacks: v.pipe(
    v.array(
      v.object({
        chargeback_id: ChargebackIdReply,
        amount: v.pipe(Amount, v.description('The amount that the issuer has charged back.')),
        money_taken: v.pipe(v.boolean(), v.description('True while the issuer has the money.')),
        refunded_by_network: v.pipe(
          v.boolean(),
          v.description('True if the network refunded the cardholder instead of a chargeback.'),
        ),
      }),
    ),
    v.description('Chargebacks of the payment, except inquiries and chargebacks that were won.'),
  ),
});

export const TransactionDetails = v.object({
  ...shownFields,
  mid: MerchantIdReply,
  rid: RetailerIdReply,
  refs: v.pipe(v.array(v.string()), v.description('Your further references.')),
  descriptor: v.nullable(DescriptorReply),
  processor: v.pipe(v.nullable(v.string()), v.description('The processor.')),
  processor_reference: v.pipe(v.nullable(v.string()), v.description('The processor’s own number of it.')),
  email: v.pipe(v.nullable(v.string()), v.description('An e-mail address.')),
  by: v.pipe(v.nullable(v.string()), v.description('Who asked for a refund or a void; null: the site, by its rcode.')),
  original_amount: v.pipe(
    v.nullable(v.string()),
    v.description('The amount that was asked for, where it was converted.'),
  ),
  original_currency: v.pipe(
    v.nullable(v.string()),
    v.description('The currency that was asked for, where it was converted.'),
  ),
  updated_at: UpdatedAtReply,
  next_check_at: v.pipe(
    v.nullable(v.string()),
    v.description('When the processor is asked again; null once the status is final.'),
  ),
  ledger: v.pipe(LedgerDto, v.description('How much of the payment is where.')),
  children: v.pipe(
    v.array(v.object({ ...shownFields, alert_id: v.nullable(RefundedAlertIdReply), by: v.nullable(ByReply) })),
    v.description('What was done to the payment, oldest first.'),
  ),
  alerts: v.pipe(
    v.array(
      v.object({
        alert_id: RefundedAlertIdReply,
        open: v.pipe(v.boolean(), v.description('Whether the alert awaits an answer.')),
        held: v.pipe(Amount, v.description('What the alert keeps from other refunds.')),
        refund_txid: v.pipe(
          v.nullable(v.number()),
          v.description('The refund that was made for the alert; null if none was.'),
        ),
      }),
    ),
    v.description('The dispute alerts about it.'),
  ),
  three_ds: v.pipe(
    v.nullable(
      v.object({
        ...threeDsReplyFields,
        authentication_id: v.nullable(AuthenticationIdReply),
        outcome: v.pipe(v.nullable(v.string()), v.description('The result of the authentication.')),
        liability_shift: v.pipe(
          v.nullable(v.boolean()),
          v.description('Whether the issuer is expected to bear a fraud chargeback.'),
        ),
      }),
    ),
    v.description('The authentication that the payment was made with; null: with none.'),
  ),
  order_id: v.pipe(v.nullable(v.number()), v.description('The order that is kept of it, if you keep orders.')),
  postbacks: v.pipe(
    v.array(
      v.object({
        id: v.pipe(v.string(), v.description('The site or the transaction that the path names.')),
        state: v.pipe(v.picklist(deliveryStates), v.description('The state of the address, two or three letters.')),
        created_at: CreatedAtReply,
        next_attempt_at: v.nullable(NextAttemptAtReply),
        status: v.pipe(
          v.nullable(v.number()),
          v.description('OK done, EXC refused, PEND not known yet or waiting for the payer.'),
        ),
        error: v.pipe(v.nullable(v.string()), v.description('What went wrong; null if nothing did.')),
      }),
    ),
    v.description('What your endpoint was told about it, newest first, at most twenty.'),
  ),
  history: v.pipe(
    v.array(
      v.object({
        at: AtReply,
        event: v.pipe(
          v.picklist(paymentEvents),
          v.description(
            'What happened: `asked`, `done`, `failed`, `disputed` (an alert) or `charged_back` (until it is won).',
          ),
        ),
        txid: v.nullable(TransactionIdReply),
        tx_action: v.nullable(TxActionReply),
        amount: v.pipe(v.nullable(Amount), v.description('A decimal with as many places as the currency has.')),
        currency: v.nullable(CurrencyReply),
        by: v.nullable(ByReply),
        alert_id: v.nullable(RefundedAlertIdReply),
        chargeback_id: v.pipe(v.nullable(v.string()), v.description('The chargeback of `charged_back`.')),
        why: v.pipe(v.nullable(v.string()), v.description('Why it failed; null where it did not.')),
      }),
    ),
    v.description('What happened to it, oldest first: asked for, done, failed, disputed, charged back.'),
  ),
});

export const transactionDetailsOperation = defineOperation({
  area: 'transactions',
  name: 'transaction-details',
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
