import {
  anyOf,
  atLeast,
  type Call,
  type Contract,
  either,
  fields,
  list,
  orNull,
  text,
  texts,
  whole,
} from '../schema.ts';
import { stripeDisputeFacts } from './dispute-states.ts';

/** Requests are forms, so every value is a text. */
const digits = text(/^\d+$/);
const yes = anyOf('true', 'false');
/** "up to 50 keys, with key names up to 40 characters and values up to 500": https://docs.stripe.com/api/metadata */
const metadata = { ...texts(500), maxProperties: 50, propertyNames: { maxLength: 40 } };
const created = (...names: readonly string[]) => fields(Object.fromEntries(names.map((name) => [name, digits])));
const page = { 'limit?': text(/^(?:[1-9]\d?|100)$/), 'starting_after?': text() };
const expand = { 'expand?': list(text()) };
const version = { 'stripe-version': /^2026-10-28\.endive$/, authorization: /^Bearer \S+$/ };
const once = {
  ...version,
  'idempotency-key': /^.{1,255}$/,
  'content-type': /^application\/x-www-form-urlencoded$/,
};

const failed = {
  default: fields({
    error: atLeast({ type: anyOf('api_error', 'card_error', 'idempotency_error', 'invalid_request_error') }),
  }),
};
const listed = (items: object) =>
  atLeast({
    object: anyOf('list', 'search_result'),
    url: text(),
    has_more: { type: 'boolean' },
    data: list({ ...items }),
  });
const known = (object: string, more: Record<string, object> = {}) =>
  atLeast({ id: text(), object: anyOf(object), ...more });

export const stripeIntentStatuses = [
  ...['requires_payment_method', 'requires_confirmation', 'requires_action', 'processing', 'requires_capture'],
  ...['canceled', 'succeeded'],
];
const intent = known('payment_intent', {
  ...{ amount: whole, currency: text(/^[a-z]{3}$/), created: whole, metadata: texts() },
  status: anyOf(...stripeIntentStatuses),
});
const charge = known('charge', {
  ...{ amount: whole, amount_captured: whole, amount_refunded: whole, currency: text(/^[a-z]{3}$/), created: whole },
  ...{ disputed: { type: 'boolean' }, status: anyOf('succeeded', 'pending', 'failed') },
});
const refund = known('refund', {
  ...{ amount: whole, currency: text(/^[a-z]{3}$/), created: whole },
  status: anyOf('pending', 'requires_action', 'succeeded', 'failed', 'canceled'),
  'reason?': orNull(anyOf('duplicate', 'fraudulent', 'requested_by_customer', 'expired_uncaptured_charge')),
});
const dispute = known('dispute', {
  ...{ amount: whole, currency: text(/^[a-z]{3}$/), created: whole, charge: text(), reason: text() },
  status: anyOf(...stripeDisputeFacts.statuses),
  'payment_method_details?': atLeast({
    card: atLeast({ brand: text(), case_type: anyOf(...stripeDisputeFacts.caseTypes) }),
  }),
  evidence_details: atLeast({ has_evidence: { type: 'boolean' }, submission_count: whole, due_by: orNull(whole) }),
});
const warning = known('radar.early_fraud_warning', { actionable: { type: 'boolean' }, created: whole });
const endpoint = known('webhook_endpoint', { url: text(), enabled_events: list(text()), status: anyOf('enabled') });

const address = {
  ...{ 'line1?': text(5000), 'line2?': text(5000), 'city?': text(5000), 'state?': text(5000) },
  ...{ 'postal_code?': text(5000), 'country?': text(/^[A-Z]{2}$/) },
};
/** https://docs.stripe.com/api/payment_methods/create */
const paymentMethod = fields({
  type: anyOf('card'),
  card: fields({
    ...{ number: text(/^\d{12,19}$/), exp_month: text(/^(?:[1-9]|1[0-2])$/), exp_year: text(/^\d{4}$/) },
    'cvc?': text(/^\d{3,4}$/),
  }),
  'billing_details?': fields({
    ...{ 'address?': fields(address), 'email?': text(/^[^\s@]+@[^\s@]+$/), 'name?': text(5000), 'phone?': text(20) },
  }),
});
/** https://docs.stripe.com/api/payment_intents/create; `mit_exemption` is a gated feature that its types do not have. */
const payment = fields({
  ...{
    amount: text(/^[1-9]\d{0,7}$/),
    currency: text(/^[a-z]{3}$/),
    payment_method: text(/^pm_/),
    confirm: anyOf('true'),
  },
  ...{ 'allowed_payment_method_types?': list(text()), capture_method: anyOf('automatic', 'automatic_async', 'manual') },
  ...{ return_url: text(/^https?:/), metadata, 'expand?': list(text()), 'error_on_requires_action?': yes },
  ...{ 'off_session?': yes, 'setup_future_usage?': anyOf('off_session', 'on_session') },
  'statement_descriptor_suffix?': text(/^(?=.*[A-Za-z])[^<>\\'"*]{1,22}$/),
  'payment_method_options?': fields({
    card: fields({
      'request_three_d_secure?': anyOf('any', 'automatic', 'challenge'),
      'mit_exemption?': fields({ 'network_transaction_id?': text() }),
      'three_d_secure?': fields({
        ...{ cryptogram: text(5000), transaction_id: text(5000) },
        version: anyOf('1.0.2', '2.1.0', '2.2.0', '2.3.0', '2.3.1'),
        'ares_trans_status?': anyOf('A', 'C', 'I', 'N', 'R', 'U', 'Y'),
        'electronic_commerce_indicator?': anyOf('01', '02', '05', '06', '07'),
        'exemption_indicator?': anyOf('low_risk', 'none'),
        'requestor_challenge_indicator?': text(2),
      }),
    }),
  }),
});

/** Lengths: comments of `Disputes.d.ts` in npm stripe 23.1.0. */
const compared = {
  ...{ 'customer_account_id?': text(), 'customer_device_fingerprint?': text(/^.{20}/s) },
  ...{ 'customer_device_id?': text(/^.{15}/s), 'customer_email_address?': text(), 'customer_purchase_ip?': text() },
  'product_description?': text(),
  'shipping_address?': fields({
    ...{ line1: text(), 'line2?': text(), city: text(), state: text(), postal_code: text(), country: text(2) },
  }),
};
export const stripeEvidenceFields = [
  ...['access_activity_log', 'billing_address', 'cancellation_policy', 'cancellation_policy_disclosure'],
  ...['cancellation_rebuttal', 'customer_communication', 'customer_email_address', 'customer_name'],
  ...['customer_purchase_ip', 'customer_signature', 'duplicate_charge_documentation', 'duplicate_charge_explanation'],
  ...['duplicate_charge_id', 'product_description', 'receipt', 'refund_policy', 'refund_policy_disclosure'],
  ...['refund_refusal_explanation', 'service_date', 'service_documentation', 'shipping_address', 'shipping_carrier'],
  ...['shipping_date', 'shipping_documentation', 'shipping_tracking_number', 'uncategorized_file'],
  'uncategorized_text',
];
const evidence = fields({
  ...Object.fromEntries(stripeEvidenceFields.map((name) => [`${name}?`, text(20_000)])),
  'enhanced_evidence?': fields({
    'visa_compelling_evidence_3?': fields({
      disputed_transaction: fields({ ...compared, merchandise_or_services: anyOf('merchandise', 'services') }),
      prior_undisputed_transactions: list(fields({ ...compared, charge: text(/^(?:ch|py)_/) }), {
        ...{ minItems: 2, maxItems: 2 },
      }),
    }),
    'visa_compliance?': fields({ fee_acknowledged: yes }),
    'mastercard_compliance?': fields({ fee_acknowledged: yes }),
  }),
});

const get = (answer: object, query: Record<string, object> = {}): Call => ({
  headers: version,
  ...{ query: fields({ ...query } as Parameters<typeof fields>[0]), body: fields({}) },
  answers: { 200: { ...answer }, ...failed },
});
const post = (body: object, answer: object): Call => ({
  headers: once,
  ...{ body: { ...body }, answers: { 200: { ...answer }, ...failed } },
});
const gone = (object: string): Call => ({
  headers: version,
  ...{ body: fields({}), answers: { 200: known(object), ...failed } },
});

/** The calls of Stripe's API; answers are also compared with Stripe's fixtures (`fixtures.ts`). */
export const stripeCalls: Contract = {
  source:
    'https://docs.stripe.com/api, the types of npm stripe 23.1.0, https://docs.stripe.com/connect/oauth-reference',
  version: '2026-10-28.endive',
  date: '2026-11-28',
  checked: '2026-11-28',
  calls: {
    'POST /v1/payment_methods': post(paymentMethod, known('payment_method', { type: anyOf('card') })),
    'POST /v1/payment_intents': post(payment, intent),
    'GET /v1/payment_intents': get(listed(intent), { created: created('gte', 'lte'), ...page, ...expand }),
    'GET /v1/payment_intents/{id}': get(intent, expand),
    'POST /v1/payment_intents/{id}/capture': post(fields({ amount_to_capture: digits, ...expand }), intent),
    'POST /v1/payment_intents/{id}/cancel': post(
      fields({
        'cancellation_reason?': anyOf('abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'),
        ...expand,
      }),
      intent,
    ),
    'POST /v1/refunds': post(
      either(
        fields({ payment_intent: text(/^pi_/), amount: digits, metadata }),
        fields({
          ...{ charge: text(), 'amount?': digits, 'metadata?': metadata },
          'reason?': anyOf('duplicate', 'fraudulent', 'requested_by_customer'),
        }),
      ),
      refund,
    ),
    'GET /v1/refunds': get(listed(refund), { 'charge?': text(), 'payment_intent?': text(), ...page }),
    'GET /v1/refunds/{id}': get(refund),
    'GET /v1/balance': get(
      atLeast({ object: anyOf('balance'), available: list(atLeast({ amount: whole, currency: text(3) })) }),
    ),
    'GET /v1/charges/search': get(listed(charge), { query: text(), ...page, 'page?': text() }),
    'GET /v1/charges': get(listed(charge), { created: created('gte', 'lt?'), ...page }),
    'GET /v1/charges/{id}': get(charge),
    'GET /v1/disputes': get(listed(dispute), { 'created?': created('gte', 'lt?'), 'charge?': text(), ...page }),
    'GET /v1/disputes/{id}': get(dispute),
    'POST /v1/disputes/{id}': post(
      fields({
        ...{ 'evidence?': evidence, 'submit?': yes, 'metadata?': metadata },
        'intended_submission_method?': anyOf('manual', 'prefer_manual', 'prefer_smart_disputes', 'smart_disputes'),
      }),
      dispute,
    ),
    'POST /v1/disputes/{id}/close': post(fields({}), dispute),
    'POST /v1/files': {
      headers: { ...version, 'idempotency-key': /^.{1,255}$/, 'content-type': /^multipart\/form-data; boundary=/ },
      body: fields({ purpose: anyOf('dispute_evidence'), file: text() }),
      answers: { 200: known('file', { purpose: text(), size: whole, created: whole }), ...failed },
    },
    'GET /v1/radar/early_fraud_warnings/{id}': get(warning, expand),
    'GET /v1/invoice_payments': get(listed(known('invoice_payment')), {
      ...{ 'payment?': fields({ type: anyOf('payment_intent'), payment_intent: text(/^pi_/) }), ...page, ...expand },
    }),
    'DELETE /v1/subscriptions/{id}': gone('subscription'),
    'POST /v1/webhook_endpoints': post(
      fields({
        url: text(/^https?:/),
        enabled_events: list(text()),
        'description?': text(5000),
        'api_version?': text(),
      }),
      endpoint,
    ),
    'GET /v1/webhook_endpoints': get(listed(endpoint), page),
    'DELETE /v1/webhook_endpoints/{id}': gone('webhook_endpoint'),
    'GET /oauth/authorize': {
      query: fields({
        ...{ client_id: text(/^ca_/), response_type: anyOf('code'), scope: anyOf('read_write'), state: text() },
        redirect_uri: text(/^https?:/),
      }),
      answers: { 302: {}, 400: atLeast({ error: text() }) },
    },
    'POST /oauth/token': {
      body: fields({ client_secret: text(), code: text(), grant_type: anyOf('authorization_code') }),
      answers: {
        200: atLeast({ access_token: text(), stripe_user_id: text(/^acct_/) }),
        400: atLeast({ error: text() }),
      },
    },
  },
};
