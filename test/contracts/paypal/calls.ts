import { anyOf, atLeast, type Call, type Contract, fields, list, type Schema, text, whole } from '../schema.ts';
import { payPalDisputeFacts } from './dispute-states.ts';

const money = fields({ currency_code: text(/^[A-Z]{3}$/), value: text(/^-?\d+(?:\.\d{1,3})?$/) });
/** RFC 3339, as `date_time` and `date_time-2` of PayPal's documents. */
const time = text(/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/);
const link = fields({ href: text(/^https:/), rel: text(), 'method?': anyOf('GET', 'POST', 'PUT', 'DELETE', 'PATCH') });
const links = list(link, { minItems: 1, maxItems: 10 });
const failed = {
  default: atLeast({ name: text(), message: text(), debug_id: text(), 'details?': list(atLeast({ issue: text() })) }),
};
const bearer = { authorization: /^Bearer \S+$/ };
const json = { ...bearer, 'content-type': /^application\/json$/ };

export const payPalRefundStatuses = ['CANCELLED', 'FAILED', 'PENDING', 'COMPLETED'];
const refund = atLeast({
  ...{ id: text(), amount: money, create_time: time, links, 'custom_id?': text(127) },
  status: anyOf(...payPalRefundStatuses),
});
const payment = (...statuses: string[]) =>
  atLeast({ id: text(), amount: money, create_time: time, status: anyOf(...statuses) });
export const payPalCaptureStatuses = ['COMPLETED', 'DECLINED', 'PARTIALLY_REFUNDED', 'PENDING', 'REFUNDED', 'FAILED'];

export const payPalEvidenceTypes = [
  ...['PROOF_OF_FULFILLMENT', 'PROOF_OF_REFUND', 'PROOF_OF_DELIVERY_SIGNATURE', 'PROOF_OF_RECEIPT_COPY'],
  ...['RETURN_POLICY', 'ADDITIONAL_PROOF_OF_SHIPMENT', 'OTHER', 'PROOF_FOR_SOFTWARE_OR_SERVICE_DELIVERED'],
];
const listedDispute = {
  ...{ dispute_id: text(/^[A-Za-z0-9-]{1,255}$/), create_time: time, reason: text(), dispute_amount: money },
  ...{ status: anyOf(...payPalDisputeFacts.statuses), dispute_channel: anyOf('INTERNAL', 'EXTERNAL', 'ALERT') },
  ...{ dispute_life_cycle_stage: anyOf(...payPalDisputeFacts.stages), 'seller_response_due_date?': time },
};
const dispute = fields({
  ...listedDispute,
  ...{ 'external_reason_code?': text(2000), links },
  disputed_transactions: list(atLeast({ seller_transaction_id: text(255) }), { minItems: 1 }),
  'dispute_outcome?': atLeast({ outcome_code: anyOf(...payPalDisputeFacts.outcomes) }),
  'evidences?': list(
    atLeast({ evidence_type: anyOf(...payPalEvidenceTypes), 'source?': text(/^\w+$/), 'notes?': text(2000) }),
    { minItems: 1 },
  ),
});

const get = (answer: Schema, query: Record<string, Schema> = {}): Call => ({
  headers: json,
  ...{ query: fields(query), answers: { 200: answer, ...failed } },
});

/** The calls of PayPal's REST API. Its document of disputes is older than the API: it lacks `create_time_after` and `page`. */
export const payPalCalls: Contract = {
  source:
    'https://github.com/paypal/paypal-rest-api-specifications at ec4d8f3, and https://developer.paypal.com/docs/api',
  version: 'orders 2.13, payments 2.5, disputes 1.10, reporting 1.9, webhooks 1.11',
  date: '2024-02-03',
  checked: '2026-11-28',
  files: {
    '/v2/checkout': 'paypal/checkout_orders_v2.json',
    '/v2/payments': 'paypal/payments_payment_v2.json',
    '/v1/customer': 'paypal/customer_disputes_v1.json',
    '/v1/reporting': 'paypal/reporting_transactions_v1.json',
    '/v1/notifications': 'paypal/notifications_webhooks_v1.json',
  },
  differs: [
    {
      problem: /paypal_reference_id must match pattern/,
      reason:
        'a subscription, which it names, has an id that begins with I-: https://developer.paypal.com/docs/api/subscriptions/v1/',
    },
    {
      problem: /transaction_initiation_date must match pattern/,
      reason: 'PayPal writes +0000 without a colon, as answers that others have published show',
    },
    {
      problem: /no answer 200 to POST \/v2\/payments\/captures\/\{capture_id\}\/refund/,
      reason: 'a repeat gets 200 at other calls of PayPal; assumed for this one',
    },
  ],
  calls: {
    'POST /v1/oauth2/token': {
      headers: { authorization: /^Basic [A-Za-z0-9+/]+=*$/ },
      body: fields({ grant_type: anyOf('client_credentials') }),
      answers: {
        200: atLeast({ access_token: text(), token_type: anyOf('Bearer'), expires_in: whole }),
        default: atLeast({ error: text() }),
      },
    },
    'GET /v1/reporting/transactions': get(
      atLeast({
        ...{ page: whole, total_items: whole, total_pages: whole },
        'transaction_details?': list(
          atLeast({
            transaction_info: atLeast({
              ...{ transaction_id: text(/^[a-zA-Z0-9]{1,24}$/), transaction_event_code: text(/^T\d{4}$/) },
              ...{ transaction_amount: money, transaction_status: anyOf('D', 'P', 'S', 'V') },
              transaction_initiation_date: time,
            }),
          }),
        ),
      }),
      {
        ...{ start_date: time, end_date: time, 'transaction_currency?': text(3), 'fields?': text() },
        'transaction_id?': text(19),
        ...{ 'page?': text(/^\d+$/), 'page_size?': text(/^(?:[1-9]\d{0,2})$/), 'transaction_status?': text(1) },
      },
    ),
    'GET /v1/customer/disputes': get(
      fields({ 'items?': list(fields(listedDispute), { minItems: 1, maxItems: 100 }), links }),
      {
        ...{ 'disputed_transaction_id?': text(), 'create_time_after?': time, 'create_time_before?': time },
        ...{ 'page?': text(/^\d+$/), 'page_size?': text(/^(?:[1-9]|[1-4]\d|50)$/) },
      },
    ),
    'GET /v1/customer/disputes/{id}': get(dispute),
    'POST /v1/customer/disputes/{id}/provide-evidence': {
      headers: { ...bearer, 'content-type': /^multipart\/form-data; boundary=/ },
      body: { type: 'object', required: ['input'] },
      answers: { 200: fields({ links }), ...failed },
    },
    'POST /v1/customer/disputes/{id}/accept-claim': {
      headers: json,
      body: fields({ note: text(2000), accept_claim_type: anyOf('REFUND', 'PARTIAL_REFUND') }),
      answers: { 200: fields({ links }), ...failed },
    },
    'GET /v2/checkout/orders/{id}': get(
      atLeast({
        id: text(),
        status: anyOf('CREATED', 'SAVED', 'APPROVED', 'VOIDED', 'COMPLETED', 'PAYER_ACTION_REQUIRED'),
      }),
    ),
    'GET /v2/payments/authorizations/{id}': get(
      payment('CREATED', 'CAPTURED', 'DENIED', 'EXPIRED', 'PARTIALLY_CAPTURED', 'VOIDED', 'PENDING'),
    ),
    'GET /v2/payments/captures/{id}': get(payment(...payPalCaptureStatuses)),
    'POST /v2/payments/captures/{id}/refund': {
      headers: { ...json, 'paypal-request-id': /^.{1,108}$/, prefer: /^return=representation$/ },
      body: fields({ amount: money, 'custom_id?': text(127), 'invoice_id?': text(127), 'note_to_payer?': text(255) }),
      answers: { 200: refund, 201: refund, ...failed },
    },
    'POST /v1/billing/subscriptions/{id}/cancel': {
      headers: json,
      body: fields({ reason: text(128) }),
      answers: { 204: {}, ...failed },
    },
    'GET /v1/notifications/webhooks': get(fields({ webhooks: list(atLeast({ id: text(50), url: text(2048) })) })),
    'POST /v1/notifications/webhooks': {
      headers: json,
      body: fields({ url: text(/^https:/), event_types: list(fields({ name: text(/^[A-Z.-]+$/) }), { minItems: 1 }) }),
      answers: { 201: atLeast({ id: text(50), url: text(2048), links }), ...failed },
    },
    'POST /v1/notifications/verify-webhook-signature': {
      headers: json,
      body: fields({
        ...{ auth_algo: text(100), cert_url: text(/^https:/), transmission_id: text(50), transmission_sig: text(500) },
        ...{ transmission_time: time, webhook_id: text(50), webhook_event: { type: 'object' } },
      }),
      answers: { 200: fields({ verification_status: anyOf('SUCCESS', 'FAILURE') }), ...failed },
    },
  },
};
