/** Every refusal a caller can see, by the code that never changes: its status and its message. */
export const refusals = {
  request_invalid: { status: 400, msg: 'The request is not valid' },
  reason_code_invalid: { status: 400, msg: 'The reason code is not allowed here' },
  unauthenticated: { status: 401, msg: 'Unauthorized' },
  token_expired: { status: 401, msg: 'The token has expired' },
  token_revoked: { status: 401, msg: 'The token was revoked' },
  credentials_wrong: { status: 401, msg: 'Wrong username or password' },
  signature_invalid: { status: 401, msg: 'The signature is missing, wrong or too old' },
  rcode_wrong: { status: 401, msg: 'The rcode is missing or wrong' },
  signature_required: { status: 401, msg: 'The site accepts only signed bodies' },
  hash_wrong: { status: 401, msg: 'The hash is missing or wrong' },
  client_token_wrong: { status: 401, msg: 'The client token is wrong or has expired' },
  retailer_name_taken: { status: 401, msg: 'retailer_name already exists' },
  second_factor_needed: { status: 401, msg: 'A code from your second factor is needed' },
  second_factor_wrong: { status: 401, msg: 'Wrong code' },
  passkey_wrong: { status: 401, msg: 'The passkey was not accepted' },
  session_over: { status: 401, msg: 'The session has ended' },
  scope_missing: { status: 403, msg: 'The token does not allow this' },
  page_origin_wrong: { status: 403, msg: 'The call comes from another page' },
  role_missing: { status: 403, msg: 'Your role does not allow this' },
  fresh_sign_in_needed: { status: 403, msg: 'Enter your password again first' },
  permission_missing: { status: 403, msg: 'The API key does not allow this' },
  site_not_allowed: { status: 403, msg: 'The API key is limited to other sites' },
  ip_not_allowed: { status: 403, msg: 'The API key does not allow this IP address' },
  sso_refused: { status: 403, msg: 'Single sign-on was refused' },
  cross_site: { status: 403, msg: 'The request comes from another site' },
  route_not_found: { status: 404, msg: 'No such operation' },
  merchant_not_found: { status: 404, msg: 'No such merchant' },
  retailer_not_found: { status: 404, msg: 'No such retailer' },
  site_not_found: { status: 404, msg: 'No such site' },
  alert_not_found: { status: 404, msg: 'No such alert' },
  quarantine_entry_not_found: { status: 404, msg: 'No such entry of the quarantine' },
  enrollment_not_found: { status: 404, msg: 'No such enrollment request or item' },
  outcome_not_found: { status: 404, msg: 'No such outcome' },
  notification_not_found: { status: 404, msg: 'No such notification' },
  rule_not_found: { status: 404, msg: 'No such rule' },
  back_test_not_found: { status: 404, msg: 'No such back-test' },
  statement_not_found: { status: 404, msg: 'No such statement' },
  import_not_found: { status: 404, msg: 'No such import' },
  connection_not_found: { status: 404, msg: 'No such connection' },
  provider_not_found: { status: 404, msg: 'No such provider' },
  transaction_not_found: { status: 404, msg: 'No such transaction' },
  fraud_template_not_found: { status: 404, msg: 'No such fraud template' },
  fraud_check_not_found: { status: 404, msg: 'No such fraud check' },
  api_key_not_found: { status: 404, msg: 'No such API key' },
  passkey_not_found: { status: 404, msg: 'No such passkey' },
  sso_not_found: { status: 404, msg: 'Single sign-on is not set up' },
  user_not_found: { status: 404, msg: 'No such user' },
  password_link_not_found: { status: 404, msg: 'No such link, or it has expired' },
  order_not_found: { status: 404, msg: 'No such order' },
  chargeback_not_found: { status: 404, msg: 'No such chargeback' },
  upload_not_found: { status: 404, msg: 'No such upload' },
  page_not_found: { status: 404, msg: 'No such page' },
  authentication_not_found: { status: 404, msg: 'No such authentication' },
  method_not_allowed: { status: 405, msg: 'The path does not support this method' },
  site_type_fixed: { status: 409, msg: 'The type of a site is permanent' },
  site_not_for_alerts: { status: 409, msg: 'The site is not an alert site' },
  site_not_for_payments: { status: 409, msg: 'The site is not a payment site' },
  site_not_for_3ds: { status: 409, msg: 'The site is not a 3DS site' },
  three_ds_settings_missing: { status: 409, msg: "The site's 3DS settings are incomplete" },
  authentication_state_wrong: { status: 409, msg: 'The authentication does not allow this now' },
  authentication_mismatch: { status: 409, msg: 'The authentication belongs to another payment' },
  tid_reused: { status: 409, msg: 'The tid was used with another body' },
  tid_needed: { status: 409, msg: 'The hash was used with another body' },
  amount_not_available: { status: 409, msg: 'Less than this amount is left of the transaction' },
  insufficient_funds: { status: 409, msg: "The site's funds do not cover this payout" },
  transaction_state_wrong: { status: 409, msg: 'The transaction does not allow this now' },
  connection_unavailable: { status: 409, msg: 'The connection cannot be reached now' },
  import_unfinished: { status: 409, msg: 'An import of this connection has not ended' },
  import_state_wrong: { status: 409, msg: 'The import does not allow this now' },
  payment_not_linked: { status: 409, msg: 'The alert has no such transaction' },
  refund_first: { status: 409, msg: 'No refund is recorded for this alert' },
  already_refunded_for_dispute: { status: 409, msg: 'This dispute has been refunded' },
  refund_not_allowed: { status: 409, msg: 'The site does not allow this refund' },
  dispute_open: { status: 409, msg: 'An open dispute alert holds the amount' },
  charged_back: { status: 409, msg: 'The payment was charged back' },
  evidence_refused: { status: 409, msg: 'The evidence was not accepted' },
  file_not_accepted: { status: 409, msg: 'The file was not accepted' },
  chargeback_over: { status: 409, msg: 'The chargeback is closed' },
  rate_missing: { status: 409, msg: 'There is no exchange rate' },
  card_not_taken: { status: 409, msg: 'No payment option fits this card' },
  onboarding_incomplete: { status: 409, msg: 'Onboarding is not complete' },
  alert_closed: { status: 409, msg: 'The alert already has another outcome' },
  alert_takes_no_outcome: { status: 409, msg: 'This type of alert accepts no outcome' },
  outcome_settled: { status: 409, msg: 'This outcome is settled' },
  descriptor_enrolled: { status: 409, msg: 'The site has already enrolled this' },
  enrollment_overlap: { status: 409, msg: "This overlaps with another merchant's enrollment" },
  alert_not_paid_for: { status: 409, msg: 'The alert was never charged for' },
  credit_state_wrong: { status: 409, msg: 'The credit does not allow this now' },
  prices_full: { status: 409, msg: 'The merchant has reached its limit of prices' },
  alert_already_assigned: { status: 409, msg: 'The alert already belongs to a site' },
  idempotency_key_reused: { status: 409, msg: 'The idempotency key was used with another body' },
  idempotency_key_in_use: { status: 409, msg: 'A call with this idempotency key is in progress' },
  passkey_host_unsuitable: { status: 409, msg: 'Passkeys need a host name' },
  sso_unavailable: { status: 409, msg: 'The identity provider cannot be used now' },
  second_factor_set: { status: 409, msg: 'A second factor is already set up' },
  username_taken: { status: 409, msg: 'The username is taken' },
  user_is_caller: { status: 409, msg: 'This is your own user' },
  oi_merchant_id_taken: { status: 409, msg: 'Another merchant has this name at the providers of look-ups' },
  orders_disabled: { status: 409, msg: 'The merchant does not keep orders' },
  order_reference_taken: { status: 409, msg: 'Another order of the site has this reference' },
  rules_full: { status: 409, msg: 'The limit of rules has been reached' },
  changed_meanwhile: { status: 409, msg: 'Another caller changed this at the same time' },
  body_too_large: { status: 413, msg: 'The body is too large' },
  content_type_unsupported: { status: 415, msg: 'The content type is not supported' },
  too_many_attempts: { status: 429, msg: 'Too many failed attempts' },
  internal: { status: 500, msg: 'Something went wrong on our side' },
} as const satisfies Record<string, { status: number; msg: string }>;

/** Refusals that the gateway itself gives, and no function. */
export const gatewayRefusals = {
  firewall: { status: 403, msg: 'Refused' },
  too_many_requests: { status: 429, msg: 'Too many requests' },
  timed_out: { status: 504, msg: 'Something went wrong on our side' },
} as const;

export type ErrorCode = keyof typeof refusals;

/** Refusals that need no declaration: the machinery around every handler can answer them. */
export const commonErrors = [
  'request_invalid',
  'unauthenticated',
  'token_expired',
  'token_revoked',
  'scope_missing',
  'role_missing',
  'fresh_sign_in_needed',
  'permission_missing',
  'site_not_allowed',
  'ip_not_allowed',
  'route_not_found',
  'signature_invalid',
  'signature_required',
  'idempotency_key_reused',
  'idempotency_key_in_use',
  'body_too_large',
  'content_type_unsupported',
  'internal',
] as const satisfies readonly ErrorCode[];

/** Those of them that only operations that take an idempotency key answer. */
export const idempotencyErrors: readonly ErrorCode[] = ['idempotency_key_reused', 'idempotency_key_in_use'];

/** And those that only operations with `signable` answer. */
export const signatureErrors: readonly ErrorCode[] = ['signature_invalid', 'signature_required'];

/**
 * An expected refusal. `details` is for the caller and says what to change; `cause` is for the operator's log and is
 * never sent. Any other error becomes a bare 500.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  readonly details: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Further fields of the reply, which the caller needs to continue. */
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    details = '',
    options: { cause?: unknown; headers?: Record<string, string>; fields?: Record<string, unknown> } = {},
  ) {
    super(details || refusals[code].msg, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = details;
    this.headers = options.headers ?? {};
    this.fields = options.fields ?? {};
  }
}

/** The path of the page that explains a code, under the address of the API. Every stage has these pages. */
export const pageOfCode = (code: string): string => `/errors/${code}`;

/** The body of a refusal: `{msg, details, code, doc}`, except for the one that the interface shapes differently. */
export const bodyOfRefusal = (
  { code, details, fields }: Refusal,
  shape: 'plain' | 'transaction' = 'plain',
): unknown => {
  const { status, msg } = refusals[code];
  if (shape === 'transaction')
    return { status: 'EXC', error_code: code, error_msg: details || msg, doc: pageOfCode(code) };
  return code === 'retailer_name_taken'
    ? { status: 'EXC', code: status, error_msg: { msg } }
    : { msg, details, code, doc: pageOfCode(code), ...fields };
};
