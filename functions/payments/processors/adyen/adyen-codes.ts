import type { DeclineCode } from '../decline-codes.ts';
import { codeOfKind } from '../kind-codes.ts';
import { refusedFieldIn } from '../payer-forms.ts';
import type { OperationKind, ProcessorResult } from '../ports/processor.ts';

type Refusals = readonly (readonly [number: string, reason: string, code: DeclineCode])[];

/** https://docs.adyen.com/development-resources/refusal-reasons: answers give the number, webhooks the words. */
const refusals: Refusals = [
  ['2', 'refused', 'card_declined'],
  ['3', 'referral', 'do_not_honor'],
  ['4', 'acquirer error', 'issuer_unavailable'],
  ['5', 'blocked card', 'card_declined'],
  ['6', 'expired card', 'expired_card'],
  ['7', 'invalid amount', 'amount_invalid'],
  ['8', 'invalid card number', 'incorrect_number'],
  ['9', 'issuer unavailable', 'issuer_unavailable'],
  ['10', 'not supported', 'card_not_supported'],
  ['11', '3d not authenticated', 'authentication_failed'],
  ['12', 'not enough balance', 'insufficient_funds'],
  ['14', 'acquirer fraud', 'suspected_fraud'],
  ['15', 'cancelled', 'authentication_abandoned'],
  ['16', 'shopper cancelled', 'authentication_abandoned'],
  ['20', 'fraud', 'suspected_fraud'],
  ['22', 'fraud-cancelled', 'suspected_fraud'],
  ['23', 'transaction not permitted', 'card_not_supported'],
  ['24', 'cvc declined', 'incorrect_cvc'],
  ['25', 'restricted card', 'card_not_supported'],
  ['26', 'revocation of auth', 'card_declined'],
  ['27', 'declined non generic', 'card_declined'],
  ['28', 'withdrawal amount exceeded', 'limit_exceeded'],
  ['29', 'withdrawal count exceeded', 'limit_exceeded'],
  ['31', 'issuer suspected fraud', 'suspected_fraud'],
  ['38', 'authentication required', 'authentication_required'],
  ['39', 'rreq not received from ds', 'authentication_failed'],
  ['42', '3ds authentication error', 'authentication_failed'],
];
const byNumber = new Map(refusals.map(([number, , code]) => [number, code]));
const byReason = new Map(refusals.map(([, reason, code]) => [reason, code]));

/** Why a payment was refused: `number` of an answer, `reason` of an answer or a webhook. */
export const codeOfRefusal = (number: string | undefined, reason: string | null | undefined): DeclineCode =>
  byNumber.get(number ?? '') ?? byReason.get((reason ?? '').trim().toLowerCase()) ?? 'card_declined';

/** https://docs.adyen.com/development-resources/error-codes */
const byErrorCode: Readonly<Record<string, DeclineCode>> = {
  '010': 'processor_credentials',
  '101': 'incorrect_number',
  '102': 'incorrect_number',
  '103': 'incorrect_cvc',
  '129': 'expired_card',
  '137': 'amount_invalid',
  '138': 'currency_not_supported',
  '167': 'not_found_at_processor',
  '901': 'processor_credentials',
  '905': 'card_not_supported',
  '906': 'not_found_at_processor',
};
/** "Request already processed or in progress": another try's, whose answer cannot be had. */
const inProgress = '704';

/** `message`: Adyen's sentence, which may repeat what was sent. Only the name of a field is taken from it. */
export type AdyenFailure = { status: number; errorCode: string | undefined; isTransient: boolean; message?: string };

/** Returns the meaning of an answer other than 2xx for the operation. Adyen's sentences may repeat what was sent: codes only. */
export const outcomeOfAdyenFailure = (
  { status, errorCode, isTransient, message = '' }: AdyenFailure,
  kind: OperationKind,
): Extract<ProcessorResult, { outcome: 'EXC' | 'UNKNOWN' }> => {
  const detail = `adyen ${status}${errorCode && /^[\w-]{1,12}$/.test(errorCode) ? ` ${errorCode}` : ''}`;
  const definite = status >= 400 && status < 500 && status !== 408 && status !== 409 && !isTransient;
  if (!definite || errorCode === inProgress) return { outcome: 'UNKNOWN', detail };
  const code = errorToCode(status, errorCode, kind);
  const field = code === 'processor_refused' ? refusedFieldIn(message) : undefined;
  return { outcome: 'EXC', code, reference: null, ...(field && { field }), detail };
};

const errorToCode = (status: number, errorCode: string | undefined, kind: OperationKind): DeclineCode => {
  if (status === 401 || status === 403) return 'processor_credentials';
  if (status === 429) return 'processor_unavailable';
  const known = byErrorCode[errorCode ?? ''];
  return known && (kind === 'pay' || known !== 'amount_invalid') ? known : codeOfKind[kind];
};

/** Refused before Adyen looked at what was asked, or never arrived: the same may go well later. */
const unheard: readonly DeclineCode[] = ['processor_unavailable', 'processor_credentials'];
export const isUnheard = (code: DeclineCode): boolean => unheard.includes(code);
