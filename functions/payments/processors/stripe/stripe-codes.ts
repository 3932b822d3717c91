import type { DeclineCode } from '../decline-codes.ts';
import { codeOfKind } from '../kind-codes.ts';
import { refusedFieldIn } from '../payer-forms.ts';
import type { OperationKind, ProcessorResult } from '../ports/processor.ts';

/** Why an issuer declined, from https://docs.stripe.com/declines/codes; what is not here is `card_declined`. */
const byDeclineCode: Readonly<Record<string, DeclineCode>> = {
  approve_with_id: 'issuer_unavailable',
  authentication_required: 'authentication_required',
  call_issuer: 'do_not_honor',
  card_not_supported: 'card_not_supported',
  card_velocity_exceeded: 'limit_exceeded',
  currency_not_supported: 'currency_not_supported',
  do_not_honor: 'do_not_honor',
  do_not_try_again: 'do_not_honor',
  duplicate_transaction: 'already_done',
  expired_card: 'expired_card',
  fraudulent: 'suspected_fraud',
  incorrect_cvc: 'incorrect_cvc',
  incorrect_number: 'incorrect_number',
  insufficient_funds: 'insufficient_funds',
  invalid_account: 'incorrect_number',
  invalid_amount: 'amount_invalid',
  invalid_cvc: 'incorrect_cvc',
  invalid_expiry_month: 'expired_card',
  invalid_expiry_year: 'expired_card',
  invalid_number: 'incorrect_number',
  issuer_not_available: 'issuer_unavailable',
  live_mode_test_card: 'incorrect_number',
  lost_card: 'lost_card',
  merchant_blacklist: 'suspected_fraud',
  no_action_taken: 'do_not_honor',
  not_permitted: 'card_not_supported',
  pickup_card: 'lost_card',
  processing_error: 'issuer_unavailable',
  reenter_transaction: 'issuer_unavailable',
  security_violation: 'suspected_fraud',
  service_not_allowed: 'card_not_supported',
  stolen_card: 'stolen_card',
  transaction_not_allowed: 'card_not_supported',
  try_again_later: 'issuer_unavailable',
  withdrawal_count_limit_exceeded: 'limit_exceeded',
};

/** The problems of a request, from https://docs.stripe.com/error-codes. */
const byErrorCode: Readonly<Record<string, DeclineCode>> = {
  amount_too_large: 'amount_invalid',
  amount_too_small: 'amount_invalid',
  authentication_failure: 'authentication_failed',
  authentication_required: 'authentication_required',
  card_decline_rate_limit_exceeded: 'limit_exceeded',
  charge_already_captured: 'already_done',
  charge_already_refunded: 'already_done',
  expired_card: 'expired_card',
  expired_payment_method: 'expired_card',
  incorrect_cvc: 'incorrect_cvc',
  incorrect_number: 'incorrect_number',
  invalid_cvc: 'incorrect_cvc',
  invalid_expiry_month: 'expired_card',
  invalid_expiry_year: 'expired_card',
  invalid_number: 'incorrect_number',
  payment_intent_authentication_failure: 'authentication_failed',
  payment_method_restricted: 'card_not_supported',
  processing_error: 'issuer_unavailable',
  resource_missing: 'not_found_at_processor',
};

/** The parts of Stripe's errors that are of a fixed vocabulary; its sentences may repeat what was sent. */
export type StripeFailure = {
  status: number | undefined;
  type: string | undefined;
  code: string | undefined;
  declineCode: string | undefined;
  param: string | undefined;
  requestId: string | undefined;
  /** The PaymentIntent as it was when Stripe refused. */
  intent: { id: string; status: string } | undefined;
};

const isWord = (value: string | undefined): value is string =>
  value !== undefined && /^[\w.[\]-]{1,80}$/.test(value) && !/\d{12}/.test(value);

const failureText = ({ status, type, code, declineCode, param, requestId }: StripeFailure): string =>
  [status === undefined ? undefined : String(status), type, code, declineCode, param, requestId]
    .filter(isWord)
    .join(' ');

/** Done before, by an earlier request: distinguished from what can no longer be done. */
const alreadyDone: Readonly<Partial<Record<OperationKind, string>>> = { capture: 'succeeded', void: 'canceled' };

const toCode = (failure: StripeFailure, kind: OperationKind): DeclineCode => {
  const { code = '', declineCode, param, intent, status } = failure;
  if (status === 401 || status === 403) return 'processor_credentials';
  if (status === 429) return 'processor_unavailable';
  if (code === 'payment_intent_unexpected_state' && intent?.status === alreadyDone[kind]) return 'already_done';
  if (kind === 'pay' && param === 'currency') return 'currency_not_supported';
  if (declineCode) return byDeclineCode[declineCode] ?? 'card_declined';
  const known = byErrorCode[code];
  if (known && (kind === 'pay' || known !== 'amount_invalid')) return known;
  return status === 402 && kind === 'pay' ? 'card_declined' : codeOfKind[kind];
};

/** Only these mean that Stripe surely did not do it; anything else, such as a key in use, leaves it open. */
const isDefinite = ({ status = 0, type }: StripeFailure): boolean =>
  type !== 'idempotency_error' && status >= 400 && status < 500 && status !== 408 && status !== 409;

/** Returns the meaning of a Stripe error for the operation. */
export const outcomeOfFailure = (failure: StripeFailure, kind: OperationKind): ProcessorResult => {
  const detail = `stripe ${failureText(failure)}`;
  if (!isDefinite(failure)) return { outcome: 'UNKNOWN', detail };
  const code = toCode(failure, kind);
  const field =
    code === 'processor_refused' ? refusedFieldIn(`${failure.param ?? ''} ${failure.code ?? ''}`) : undefined;
  return { outcome: 'EXC', code, reference: failure.intent?.id ?? null, ...(field && { field }), detail };
};

/** Returns the code of a payment's last error, where the PaymentIntent itself is read. */
export const codeOfPaymentError = (code: string | undefined, declineCode: string | undefined): DeclineCode =>
  byErrorCode[code ?? ''] ?? byDeclineCode[declineCode ?? ''] ?? 'card_declined';
