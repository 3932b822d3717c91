import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { deliveryStates } from '#messaging/webhooks/delivery/delivery.ts';
import { paymentEvents } from '../../transaction/payment-history.ts';
import { shownFields } from '../../transaction/shown-schemas.ts';
import { txActions } from '../../transaction/transaction.ts';
import { ParentPath } from '../processrefund/operation.ts';

const Amount = v.string();

/** What of a payment is where. */
export const LedgerDto = v.object({
  currency: v.string(),
  authorized: Amount,
  captured: Amount,
  refunded: Amount,
  voided: Amount,
  paid_out: Amount,
  refundable: v.pipe(Amount, v.description('What can be refunded without naming an alert.')),
  in_flight: v.array(
    v.object({ txid: v.number(), kind: v.string(), amount: Amount, alert_id: v.nullable(v.number()) }),
  ),
});

export const TransactionDetails = v.object({
  ...shownFields,
  mid: v.number(),
  rid: v.number(),
  refs: v.array(v.string()),
  descriptor: v.nullable(v.string()),
  processor: v.nullable(v.string()),
  processor_reference: v.nullable(v.string()),
  email: v.nullable(v.string()),
  by: v.pipe(v.nullable(v.string()), v.description('Who asked for a refund or a void; null: the site, by its rcode.')),
  original_amount: v.nullable(v.string()),
  original_currency: v.nullable(v.string()),
  updated_at: v.string(),
  next_check_at: v.nullable(v.string()),
  ledger: LedgerDto,
  children: v.pipe(
    v.array(v.object({ ...shownFields, alert_id: v.nullable(v.number()), by: v.nullable(v.string()) })),
    v.description('What was done to the payment, oldest first.'),
  ),
  alerts: v.array(
    v.object({
      alert_id: v.number(),
      open: v.boolean(),
      held: v.pipe(Amount, v.description('What the alert keeps from other refunds.')),
      refund_txid: v.nullable(v.number()),
    }),
  ),
  three_ds: v.pipe(
    v.nullable(
      v.object({
        source: v.picklist(['verified', 'merchant']),
        transStatus: v.nullable(v.string()),
        eci: v.nullable(v.string()),
        authentication_id: v.nullable(v.number()),
        outcome: v.nullable(v.string()),
        liability_shift: v.nullable(v.boolean()),
      }),
    ),
    v.description('The authentication that the payment was made with; null: with none.'),
  ),
  order_id: v.pipe(v.nullable(v.number()), v.description('The order that is kept of it, if you keep orders.')),
  postbacks: v.pipe(
    v.array(
      v.object({
        id: v.string(),
        state: v.picklist(deliveryStates),
        created_at: v.string(),
        next_attempt_at: v.nullable(v.string()),
        status: v.nullable(v.number()),
        error: v.nullable(v.string()),
      }),
    ),
    v.description('What your endpoint was told about it, newest first, at most twenty.'),
  ),
  history: v.pipe(
    v.array(
      v.object({
        at: v.string(),
        event: v.picklist(paymentEvents),
        txid: v.nullable(v.number()),
        tx_action: v.nullable(v.picklist(txActions)),
        amount: v.nullable(Amount),
        currency: v.nullable(v.string()),
        by: v.nullable(v.string()),
        alert_id: v.nullable(v.number()),
        why: v.nullable(v.string()),
      }),
    ),
    v.description('What happened to it, oldest first: asked for, done, failed, disputed.'),
  ),
});

export const transactionDetails = defineOperation({
  area: 'transactions',
  name: 'transaction-details',
  summary: 'Show a payment with its ledger and what was done to it',
  description:
    'Captures, refunds and voids, the alerts that hold some of it, what 3-D Secure came to, its order, its postbacks and all that ' +
    'happened to it in order. Of the number of a refund: its payment.',
  method: 'POST',
  path: '/api/v3/service_process/transaction/{parentxid}/details',
  auth: 'bearer',
  params: ParentPath,
  reply: TransactionDetails,
  errors: ['transaction_not_found'],
  grants: { table: ['GetItem', 'BatchGetItem'], indexes: ['list2', 'list3'] },
});
