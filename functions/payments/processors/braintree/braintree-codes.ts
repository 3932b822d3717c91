import type { DeclineCode } from '../decline-codes.ts';
import { codeOfKind } from '../kind-codes.ts';
import type { RefusedField } from '../payer-forms.ts';
import type { OperationKind, ProcessorResult } from '../ports/processor.ts';

/** Why an issuer declined: https://developer.paypal.com/braintree/docs/reference/general/processor-responses/authorization-responses */
const byResponse: Readonly<Record<string, DeclineCode>> = {
  '2000': 'do_not_honor',
  '2001': 'insufficient_funds',
  '2002': 'limit_exceeded',
  '2003': 'limit_exceeded',
  '2004': 'expired_card',
  '2005': 'incorrect_number',
  '2006': 'expired_card',
  '2007': 'incorrect_number',
  '2008': 'incorrect_number',
  '2009': 'incorrect_number',
  '2010': 'incorrect_cvc',
  '2011': 'do_not_honor',
  '2012': 'lost_card',
  '2013': 'stolen_card',
  '2014': 'suspected_fraud',
  '2015': 'card_not_supported',
  '2024': 'card_not_supported',
  '2044': 'do_not_honor',
  '2047': 'lost_card',
  '2099': 'authentication_required',
  '3000': 'issuer_unavailable',
};

/** https://developer.paypal.com/braintree/articles/control-panel/transactions/gateway-rejections */
const byRejection: Readonly<Record<string, DeclineCode>> = {
  CVV: 'incorrect_cvc',
  AVS_AND_CVV: 'incorrect_cvc',
  DUPLICATE: 'already_done',
  FRAUD: 'suspected_fraud',
  RISK_THRESHOLD: 'suspected_fraud',
  PAYMENT_METHOD_BLOCKED: 'suspected_fraud',
  EXCESSIVE_RETRY: 'limit_exceeded',
  TOO_MANY_CONFIRMATION_ATTEMPTS: 'limit_exceeded',
  MANUAL_TRANSACTIONS_DISABLED: 'processor_credentials',
  UNION_PAY_ENROLLMENT_REQUIRED: 'card_not_supported',
  THREE_D_SECURE: 'authentication_required',
  APPLICATION_INCOMPLETE: 'processor_credentials',
};

const fieldOfCodes = (field: RefusedField, codes: readonly string[]) =>
  Object.fromEntries(codes.map((code) => [code, field]));

/** Validation errors: https://developer.paypal.com/braintree/docs/reference/general/validation-errors/all */
const byLegacyCode: Readonly<Record<string, DeclineCode>> = {
  '81501': 'amount_invalid',
  '81503': 'amount_invalid',
  '81528': 'amount_invalid',
  '81531': 'amount_invalid',
  '81703': 'card_not_supported',
  '81706': 'incorrect_cvc',
  '81707': 'incorrect_cvc',
  '81709': 'expired_card',
  '81710': 'expired_card',
  '81711': 'expired_card',
  '81712': 'expired_card',
  '81713': 'expired_card',
  '81714': 'incorrect_number',
  '81715': 'incorrect_number',
  '81716': 'incorrect_number',
  '81723': 'card_not_supported',
  '91513': 'processor_credentials',
};

/** The fields of the payer, by the codes of their validation errors: Address, Customer and CreditCard of the same page. */
const fieldByLegacyCode: Readonly<Record<string, RefusedField>> = {
  ...fieldOfCodes('postcode', ['81808', '81809', '81813', '81828', '91826']),
  ...fieldOfCodes('address', ['81811', '81812', '91822']),
  ...fieldOfCodes('suburb_city', ['81807', '91824']),
  ...fieldOfCodes('state', ['81810', '81827', '91825']),
  ...fieldOfCodes('country', ['91803', '91814', '91815', '91816', '91817']),
  ...fieldOfCodes('email', ['81604', '81605', '81606']),
  ...fieldOfCodes('phone', ['81614']),
};

export const codeOfDecline = (response: string | undefined, rejection: string | undefined): DeclineCode =>
  byRejection[rejection ?? ''] ?? byResponse[response ?? ''] ?? 'card_declined';

/** The parts of an answer's error that have a fixed vocabulary; its message may repeat what was sent. */
export type BraintreeError = { errorClass: string; legacyCode: string };

/** Only these mean that Braintree surely did not do it. https://developer.paypal.com/braintree/graphql/guides/error_handling */
const definite: Readonly<Record<string, DeclineCode | null>> = {
  AUTHENTICATION: 'processor_credentials',
  AUTHORIZATION: 'processor_credentials',
  VALIDATION: null,
  NOT_FOUND: 'not_found_at_processor',
  RESOURCE_LIMIT: 'processor_unavailable',
  NOT_IMPLEMENTED: 'operation_not_supported',
  UNSUPPORTED_CLIENT: 'operation_not_supported',
};

const isWord = (text: string): boolean => /^[A-Z_]{1,40}$|^\d{5}$/.test(text);

/** Returns what the errors in a reply mean for the operation. */
export const outcomeOfErrors = (
  errors: readonly BraintreeError[],
  kind: OperationKind,
): Extract<ProcessorResult, { outcome: 'EXC' | 'UNKNOWN' }> => {
  const [first = { errorClass: '', legacyCode: '' }] = errors;
  const detail = ['braintree', first.errorClass, first.legacyCode]
    .filter((word, index) => index === 0 || isWord(word))
    .join(' ');
  const isDefinite = errors.length > 0 && errors.every(({ errorClass }) => Object.hasOwn(definite, errorClass));
  if (!isDefinite) return { outcome: 'UNKNOWN', detail };
  const known = definite[first.errorClass] ?? byLegacyCode[first.legacyCode];
  const code = known && (kind === 'pay' || known !== 'amount_invalid') ? known : codeOfKind[kind];
  const field = fieldByLegacyCode[first.legacyCode];
  return { outcome: 'EXC', code, reference: null, ...(field && { field }), detail };
};
