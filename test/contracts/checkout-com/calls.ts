import {
  anyOf,
  atLeast,
  type Call,
  type Contract,
  fields,
  flag,
  list,
  type Schema,
  text,
  texts,
  whole,
} from '../schema.ts';
import { checkoutComDisputeFacts } from './dispute-states.ts';

const key = { authorization: /^Bearer sk_/ };
const json = { ...key, 'content-type': /^application\/json$/ };
const time = text(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,7})?Z$/);
/** An error has a body where the request was understood, and none otherwise. */
const failed = {
  ...{ 401: {}, 404: {} },
  default: { anyOf: [anyOf(''), atLeast({ request_id: text(), error_type: text(), error_codes: list(text()) })] },
};
const empty = { 204: anyOf(''), ...failed };

export const checkoutComPaymentStatuses = [
  ...['Pending', 'Authorized', 'Card Verified', 'Partially Authorized', 'Voided', 'Partially Captured', 'Captured'],
  ...['Partially Refunded', 'Refunded', 'Declined', 'Canceled', 'Expired', 'Paid'],
];
const payment = {
  ...{ id: text(/^pay_[a-z2-7]{26}|^pay_[a-z0-9]+$/), requested_on: time, amount: whole, currency: text(/^[A-Z]{3}$/) },
  payment_type: anyOf('Regular', 'Recurring', 'MOTO', 'Installment', 'PayLater', 'Unscheduled'),
  balances: atLeast({ total_authorized: whole, total_captured: whole, total_refunded: whole }),
};
const action = {
  ...{ id: text(/^act_/), processed_on: time, amount: whole },
  type: anyOf(...['Authorization', 'Card Verification', 'Void', 'Capture', 'Refund', 'Payout', 'Return']),
};
const dispute = {
  ...{ id: text(/^dsp_[a-z0-9]{22,26}$/), amount: whole, currency: text(/^[A-Z]{3}$/), received_on: time },
  status: anyOf(...checkoutComDisputeFacts.statuses),
  category: anyOf(
    ...['general', 'duplicate', 'fraudulent', 'unrecognized', 'incorrect_amount', 'not_as_described'],
    ...['credit_not_issued', 'canceled_recurring', 'product_service_not_received'],
  ),
};

const evidenceFields = [
  ...['proof_of_delivery_or_service', 'invoice_or_receipt', 'invoice_showing_distinct_transactions'],
  ...['customer_communication', 'refund_or_cancellation_policy', 'recurring_transaction_agreement'],
  ...['additional_evidence', 'proof_of_delivery_or_service_date'],
];
const evidence = fields(
  Object.fromEntries(
    evidenceFields.flatMap((name) => [
      [`${name}_file?`, text(/^file_/)],
      [`${name}_text?`, text(500)],
    ]),
  ),
);

const get = (answer: Schema, query: Record<string, Schema> = {}): Call => ({
  headers: key,
  ...{ query: fields(query), answers: { 200: answer, ...failed } },
});

/** The calls of Checkout.com's API. */
export const checkoutComCalls: Contract = {
  source:
    'https://api-reference.checkout.com, and checkout-sdk-node and checkout-sdk-java of 2026-08 on https://github.com/checkout',
  version: 'current',
  date: '2026-11-28',
  checked: '2026-11-28',
  calls: {
    'GET /disputes': get(
      fields({
        ...{ limit: whole, skip: whole, total_count: whole, 'from?': time },
        data: list(atLeast({ ...dispute, payment_id: text(/^pay_/) })),
      }),
      {
        ...{ 'limit?': text(/^(?:[1-9]\d?|1\d\d|2[0-4]\d|250)$/), 'skip?': text(/^\d+$/), 'from?': time, 'to?': time },
        'payment_id?': text(/^pay_/),
      },
    ),
    'GET /disputes/{id}': get(
      atLeast({
        ...dispute,
        payment: atLeast({ id: text(/^pay_/) }),
        'resolved_reason?': anyOf(...checkoutComDisputeFacts.resolvedReasons),
      }),
    ),
    'GET /disputes/{id}/evidence/submitted': get(fields({ file_id: text(/^file_/) })),
    'PUT /disputes/{id}/evidence': { headers: json, body: { ...evidence, minProperties: 1 }, answers: empty },
    'POST /disputes/{id}/evidence': { headers: key, answers: empty },
    'POST /disputes/{id}/accept': { headers: key, answers: empty },
    'POST /files': {
      headers: { ...key, 'content-type': /^multipart\/form-data; boundary=/ },
      body: fields({ purpose: anyOf('dispute_evidence'), file: text() }),
      answers: { 200: atLeast({ id: text(/^file_/) }), ...failed },
    },
    'GET /payments/{id}': get(atLeast({ ...payment, status: anyOf(...checkoutComPaymentStatuses), approved: flag })),
    'GET /payments/{id}/actions': get(list(atLeast(action))),
    'POST /payments/{id}/refunds': {
      headers: { ...json, 'cko-idempotency-key': /^.{1,255}$/ },
      body: fields({ amount: whole, 'reference?': text(80), 'metadata?': texts(255) }),
      answers: { 202: atLeast({ action_id: text(/^act_/) }), ...failed },
    },
    'POST /payments/search': {
      headers: json,
      body: fields({
        ...{ query: text(1024), 'from?': time, 'to?': time },
        'limit?': { type: 'integer', minimum: 1, maximum: 1000 },
      }),
      answers: {
        200: atLeast({
          data: list(atLeast({ ...payment, status: text(/^[a-z_ ]+$/), actions: list(atLeast(action)) })),
        }),
        ...failed,
      },
    },
    'GET /workflows': get(atLeast({ data: list(atLeast({ id: text(/^wf_/), name: text(), active: flag })) })),
    'DELETE /workflows/{id}': { headers: key, answers: empty },
    'POST /workflows': {
      headers: json,
      body: fields({
        ...{ name: text(), active: flag },
        conditions: list(
          fields({ type: anyOf('event'), events: { type: 'object', additionalProperties: list(text()) } }),
        ),
        actions: list(
          fields({
            ...{ type: anyOf('webhook'), url: text(/^https:/) },
            signature: fields({ method: anyOf('HMACSHA256'), key: text() }),
          }),
        ),
      }),
      answers: { 201: atLeast({ id: text(/^wf_/) }), ...failed },
    },
  },
};
