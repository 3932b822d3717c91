import { type ErrorCode, gatewayRefusals, refusals } from '#core/platform/operation/errors.ts';

/** The advice to callers about each error code. */

export type ExplainedCode = ErrorCode | keyof typeof gatewayRefusals;

const all: Readonly<Record<ExplainedCode, { status: number; msg: string }>> = { ...refusals, ...gatewayRefusals };

/** The next step for each code. Words in backquotes are names in a call. */
const help: Readonly<Record<ExplainedCode, string>> = {
  request_invalid: 'Correct the fields that `details` names, and send the call again.',
  reason_code_invalid:
    'Use a code from the page “Reason codes”: each belongs to a network and a status, and some require an amount or a comment.',
  unauthenticated:
    'Send `authorization: Bearer` followed by an API key, or a token from POST /api/v2/index.php/gettoken, complete and on one line.',
  token_expired:
    'A token expires after an hour: request another with gettoken. For an expired API key, ask a manager for a new one. `details` states when it expired and the current time of the service.',
  token_revoked:
    'The token or API key was revoked, or the token’s user was disabled, changed their password or signed out. Sign in again. If that fails, ask a manager of your merchant.',
  credentials_wrong:
    'Check the username and the password; both are case-sensitive. If you forgot the password, ask a manager for a new link.',
  signature_invalid:
    'Compute the signature over the exact bytes of the body, with the current secret and the current time.',
  rcode_wrong: 'Send the site’s rcode. After a rotation, the previous one is valid for 24 hours.',
  signature_required:
    'Sign the body with the header `x-signature`, as “Take payments” shows, or set `signature` to `optional` in the site’s settings.',
  hash_wrong:
    'Compute the hash from the fields in the order that “Take payments” states, with the site’s rcode and the current timestamp.',
  client_token_wrong:
    'A client token is valid for one authentication and a limited time. Have your server call create3ds again, and give the page the new token.',
  retailer_name_taken: 'Choose another `retailer_name`: names of retailers are unique within a merchant.',
  second_factor_needed: 'Send the current six digits of your authenticator app, or a recovery code, as `code`.',
  second_factor_wrong:
    'Enter the code that the app shows now. If codes are never accepted, set the phone’s clock; otherwise use a recovery code.',
  session_over:
    'Sign in again. A session expires after a time without use, and when its user signs out or is disabled.',
  scope_missing: 'Use the token of an administrator: this operation is for operators of the service.',
  page_origin_wrong: 'Call from the page whose origin your server sent to create3ds as `page_origin`.',
  role_missing: 'Your role does not include this operation. Ask a manager for the role that `details` names.',
  fresh_sign_in_needed:
    'Sign in again with your password, or get a new token with gettoken, then repeat the call. Operations that could divert money, data or a secret need one from the last 15 minutes.',
  permission_missing:
    'Ask a manager for an API key with the permission that `details` names. Only people who sign in can manage users and keys.',
  site_not_allowed: 'Name one of the sites of the API key as `sid`, or use a key that is not limited to sites.',
  ip_not_allowed:
    'Call from an address within the ranges of the API key, or ask a manager for a key with other ranges.',
  cross_site:
    'Open the dashboard at its own address. Browsers may not call this operation from a page of another site.',
  route_not_found: 'Check the path and the method against the API reference at /docs/reference.',
  passkey_wrong:
    'Choose a passkey of this user for this host name. If the passkey was removed here, delete it on the device as well, and sign in with the password.',
  sso_refused:
    'Use the account that your merchant’s identity provider has for you. `details` states what is missing; a manager can change it.',
  sso_not_found: 'Check the merchant’s number, or sign in with a password. A manager sets up single sign-on.',
  sso_unavailable:
    'Start the sign-in again. If it fails again, ask a manager to compare issuer, client and secret here with those at the identity provider.',
  passkey_not_found: 'Check the id: session/passkey/list returns your passkeys.',
  passkey_host_unsuitable:
    'Browsers do not create passkeys for IP addresses. Open the dashboard by its host name. For the local service, use http://localhost:3000/dashboard.',
  api_key_not_found: 'Check the id: api-keys/list returns the keys of your merchant.',
  merchant_not_found: 'Check `mid`. You see only merchants that you belong to or operate.',
  retailer_not_found:
    'Check `rid` and that it belongs to this merchant: retailer/list returns the retailers that you can use.',
  site_not_found: 'Check `sid`: site/list returns the sites that you can use.',
  alert_not_found: 'Check `alert_id`: it is in the webhook, and /alerts lists the alerts of your sites.',
  quarantine_entry_not_found:
    'List the quarantine again: the message was resubmitted or dismissed, or its id is wrong.',
  enrollment_not_found:
    'Check the request’s id, and the provider and descriptor of the item: the list of enrollments has them all.',
  outcome_not_found: 'Check the outcome’s id: service_alerts/outcomes/list returns it for each answer.',
  notification_not_found:
    'Check the id, which begins with `ntf_`: notifications/list returns it, and each webhook has it as `webhook-id`.',
  rule_not_found: 'Check `rule_id` and its owner: rules/list returns the rules of a site or a merchant.',
  back_test_not_found: 'Check the id that the start of the back-test returned. Results are deleted after some time.',
  statement_not_found: 'Check the provider and the month: the call without them lists all statements.',
  import_not_found: 'Check `import_id` and the connection, or name the latest import with `latest`.',
  connection_not_found: 'Check the connection’s id and its merchant: the list of connections has both.',
  provider_not_found: 'Use one of the providers that the operation’s description lists.',
  transaction_not_found: 'Check `txid`, and that the transaction belongs to one of your sites.',
  fraud_template_not_found: 'Check `ftid`: the list of fraud templates has it.',
  fraud_check_not_found: 'Check `fraud_id`: it is in the answer to the payment or to fraudcheck.',
  user_not_found: 'Check `username`: the list of users has those of your merchant.',
  password_link_not_found: 'The link was used, replaced or has expired. Ask a manager for a new one.',
  order_not_found: 'Check the order’s id or reference, and the site that stored it.',
  chargeback_not_found: 'Check the id, which begins with `cb_`: the list of chargebacks has it.',
  upload_not_found:
    'Send the file by PUT to the address that `…/files/upload` returned, then add it within a day under the same `file_id`.',
  page_not_found: 'Check the address. The front page of the documentation is /docs.',
  authentication_not_found: 'Check `authentication_id`, and that it was created for this site.',
  method_not_allowed: 'Use one of the methods in the header `allow`.',
  site_type_fixed: 'The first settings of a site decide its type. Create another site for the other type.',
  site_not_for_alerts: 'Use an alert site, or create a site and set its alert settings first.',
  site_not_for_payments: 'Use a payment site, or create a site and set its payment settings first.',
  site_not_for_3ds: 'Use a 3DS site, or create a site and set its 3DS settings first.',
  three_ds_settings_missing: 'Complete the site’s 3DS settings: `details` names what is missing.',
  authentication_state_wrong: 'Read the authentication with get3ds: it has ended, or another step comes first.',
  authentication_mismatch:
    'Create an authentication for this payment: amount, currency and card must be the same, and each can be used once.',
  tid_reused: 'A `tid` stands for one payment. Send the first body again, or use another `tid`.',
  tid_needed:
    'Two orders of the same amount and currency that are signed within one second have the same hash. Send a different `tid` with each, or sign this one with another timestamp.',
  amount_not_available: 'Read `refundable` with getstatus, and send at most that amount.',
  insufficient_funds:
    'Send at most the available amount, which `details` states, or wait until more payments have settled.',
  transaction_state_wrong:
    'Read the transaction with getstatus: it is pending, failed, or was already captured, voided or refunded.',
  connection_unavailable:
    'Test the connection: its keys were changed, or the processor does not answer. Then send the call again.',
  import_unfinished: 'Wait until the running import of the connection has ended, or cancel it.',
  import_state_wrong: 'Pause a running import, resume a paused or failed one, and cancel one that has not ended.',
  payment_not_linked:
    'Send the `txid` of a payment that the alert’s details list, or link the payment to the alert first.',
  refund_first:
    'Refund the payment with the alert’s refund operation, which also answers the alert. If it was refunded elsewhere, send `refunded_elsewhere` with the date.',
  already_refunded_for_dispute:
    'Do not refund again: the disputed amount was refunded or reported as refunded. A manager can send `again: true` in processrefund.',
  refund_not_allowed:
    'Refunds are disabled for the site, the payment is too old, or a limit is reached: `details` says which setting decides.',
  dispute_open: 'Answer the dispute alert that `details` names, or refund the payment as its answer.',
  charged_back:
    'Do not refund: the cardholder has received the money through the chargeback. Contest or accept the chargeback instead.',
  evidence_refused: 'Correct what `details` names. The processor accepts evidence once, and only before the deadline.',
  file_not_accepted:
    'Send a PDF without a password, a PNG or a JPEG. `details` gives the reason and the number of bytes that are left for files of this chargeback.',
  chargeback_over: 'Nothing more can be submitted: the chargeback was won, lost or accepted.',
  rate_missing: 'Ask the operator to set an exchange rate for these currencies, or pay in the site’s own currency.',
  card_not_taken: 'Offer another card: no processor of the site accepts this brand in this currency.',
  onboarding_incomplete:
    'Set what `details` names for the site, such as the URL for its notifications, then make the test alert again.',
  alert_closed: 'The alert has its final answer, which the network may have received: no other answer is possible.',
  alert_takes_no_outcome: 'This type of alert is informational, or its network decides itself. It needs no answer.',
  outcome_settled: 'The network has accepted this outcome, or another one replaced it. It cannot be sent again.',
  descriptor_enrolled: 'Nothing to do: the site has enrolled this descriptor or BIN and CAID already.',
  enrollment_overlap:
    'Enroll a longer descriptor or another match type: this one would receive alerts of another merchant.',
  alert_not_paid_for: 'No credit can be claimed: the alert had no price when it arrived.',
  credit_state_wrong: 'Read the credit: it was already claimed, granted or refused.',
  prices_full: 'Remove prices that no longer apply, then add the new one.',
  alert_already_assigned: 'The alert belongs to a site already. Look it up by its id to see which.',
  idempotency_key_reused: 'A key stands for one body. Send the first body again, or use another key.',
  idempotency_key_in_use:
    'The first call with the key is in progress. Send the same call again after the seconds in the header `retry-after`.',
  second_factor_set: 'Remove the current second factor first, or keep using it.',
  username_taken: 'Choose another `username`.',
  user_is_caller: 'Ask another manager: users cannot change their own role or disable themselves.',
  oi_merchant_id_taken: 'Check the id with the provider: each `oi_merchant_id` belongs to one merchant.',
  orders_disabled: 'Turn on orders in the merchant’s settings before you store any.',
  order_reference_taken: 'Use another `reference`, or update the existing order.',
  rules_full: 'Delete a rule that is no longer needed, then create the new one.',
  changed_meanwhile:
    'Another caller changed it at the same time. Read it again, and repeat the call if it still applies.',
  body_too_large: 'Send less in one call: the limit is in `details`.',
  content_type_unsupported:
    'Send one of the content types that the operation’s description lists, usually `application/json`.',
  too_many_attempts: 'Wait for the seconds in the header `retry-after`, then try again with the right credentials.',
  internal:
    'Send the call again after a pause, with the same `tid` or idempotency key. If it keeps failing, give the operator the header `x-request-id`.',
  firewall:
    'Too many requests came from this address, or the request looked like an attack. Wait five minutes, then ask the operator.',
  too_many_requests:
    'Wait for the seconds in the header `retry-after`, or a minute if there is none, and send fewer calls at once.',
  timed_out:
    'The call may have taken effect. Read the current state first, or send the same call with the same `tid` or idempotency key.',
};

/** The help for a code; undefined for a text that is not a code. */
export const explainCode = (
  code: string,
): { code: ExplainedCode; status: number; msg: string; help: string } | undefined =>
  isCode(code) ? { code, ...all[code], help: help[code] } : undefined;

const isCode = (text: string): text is ExplainedCode => Object.hasOwn(all, text);

/** Every code that a caller can get. */
export const explainedCodes: readonly ExplainedCode[] = Object.keys(all).filter(isCode);
