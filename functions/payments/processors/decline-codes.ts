/** True if a merchant should try again: at once with the same data, later, only with other data, or never. */
export type RetryAdvice = 'retry_later' | 'change_data' | 'do_not_retry' | 'authenticate';

/**
 * The reasons for which an operation fails permanently, for all processors: `error_code` of the transaction result, the text of
 * `error_msg`, and what to do about it. Adapters map their processor's codes to these.
 */
export const declineCodes = {
  card_declined: { msg: 'The card was declined', advice: 'change_data' },
  insufficient_funds: { msg: 'The card has insufficient funds', advice: 'retry_later' },
  lost_card: { msg: 'The card was reported lost', advice: 'do_not_retry' },
  stolen_card: { msg: 'The card was reported stolen', advice: 'do_not_retry' },
  expired_card: { msg: 'The card has expired', advice: 'change_data' },
  incorrect_cvc: { msg: 'The security code is wrong', advice: 'change_data' },
  incorrect_number: { msg: 'The card number is wrong', advice: 'change_data' },
  card_not_supported: { msg: 'The card is not taken for this kind of purchase', advice: 'change_data' },
  currency_not_supported: { msg: 'The processor does not take this currency', advice: 'change_data' },
  amount_invalid: { msg: 'The processor does not take this amount', advice: 'change_data' },
  limit_exceeded: { msg: 'The card exceeds a limit', advice: 'retry_later' },
  suspected_fraud: { msg: 'The issuer suspects fraud', advice: 'do_not_retry' },
  do_not_honor: { msg: 'The issuer declined without a reason', advice: 'retry_later' },
  authentication_required: { msg: 'The issuer asks for an authentication', advice: 'authenticate' },
  authentication_failed: { msg: 'The authentication failed', advice: 'authenticate' },
  authentication_abandoned: { msg: 'The authentication was not completed in time', advice: 'authenticate' },
  issuer_unavailable: { msg: 'The issuer could not be reached', advice: 'retry_later' },
  refund_failed: { msg: 'The refund was refused', advice: 'retry_later' },
  capture_failed: { msg: 'The capture was refused', advice: 'do_not_retry' },
  authorization_expired: { msg: 'The authorisation has lapsed', advice: 'retry_later' },
  void_failed: { msg: 'The authorisation could no longer be voided', advice: 'do_not_retry' },
  payout_failed: { msg: 'The payout was refused', advice: 'change_data' },
  operation_not_supported: { msg: 'The processor cannot do this', advice: 'do_not_retry' },
  already_done: { msg: 'The processor has done this before', advice: 'do_not_retry' },
  not_found_at_processor: { msg: 'The processor has no such operation', advice: 'retry_later' },
  processor_refused: { msg: 'The processor refused the request', advice: 'retry_later' },
  processor_credentials: { msg: "The processor refused the site's credentials", advice: 'do_not_retry' },
  processor_unavailable: { msg: 'The processor could not be reached; nothing was charged', advice: 'retry_later' },
  no_processor: { msg: 'The site has no processor for this payment', advice: 'do_not_retry' },
  fraud_rejected: { msg: 'The fraud check rejected the payment', advice: 'do_not_retry' },
  fraud_check_failed: { msg: 'The fraud check could not be made', advice: 'retry_later' },
  three_ds_required: { msg: 'The fraud check asks for a 3DS authentication', advice: 'authenticate' },
} as const satisfies Record<string, { msg: string; advice: RetryAdvice }>;

export type DeclineCode = keyof typeof declineCodes;
