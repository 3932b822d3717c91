import { describe, expect, it } from 'vitest';
import { outcomeOfPaymentAnswer } from '#payments/processors/adyen/adyen-requests.ts';
import { codeOfDecline } from '#payments/processors/braintree/braintree-codes.ts';
import { checkoutComCandidateOf } from '#payments/processors/checkout-com/checkout-com-charges.ts';
import { type NmiTransaction, outcomeOfNmi } from '#payments/processors/nmi/nmi-transaction.ts';
import { payPalCandidateOf, resultOfPayPalRefund } from '#payments/processors/paypal/paypal-charges.ts';
import { stripePaymentResult } from '#payments/processors/stripe/stripe-outcomes.ts';
import { adyenResultCodes } from './adyen/calls.ts';
import { braintreeRejections } from './braintree/dispute-states.ts';
import { checkoutComPaymentStatuses } from './checkout-com/calls.ts';
import { nmiQueryFacts } from './nmi/calls.ts';
import { payPalCaptureStatuses, payPalRefundStatuses } from './paypal/calls.ts';
import { stripeIntentStatuses } from './stripe/calls.ts';

/** Each published state of a payment or refund, and what is made of it: removing one from a map, or adding one to a list, fails. */

const nmi = (condition: string): string => {
  const transaction: NmiTransaction = {
    ...{ id: '1', orderId: 'o', condition, authCode: '', currency: 'USD', card: '', bin: '', subscriptionId: '' },
    ...{ originalId: '', actions: [] },
  };
  const { outcome, ...rest } = outcomeOfNmi(transaction, 'pay');
  return 'code' in rest ? `${outcome} ${rest.code}` : outcome;
};
const adyen = (resultCode: string): string => {
  const action = { type: 'redirect', method: 'GET', url: 'https://issuer.example/' };
  const { outcome, ...rest } = outcomeOfPaymentAnswer({ resultCode, pspReference: 'P', action }, 'm');
  return 'code' in rest ? `${outcome} ${rest.code}` : outcome;
};
const stripe = (status: string): string => {
  const intent = {
    ...{ id: 'pi_1', status, latest_charge: null, last_payment_error: null, amount: 1, currency: 'usd' },
    next_action: { type: 'redirect_to_url', redirect_to_url: { url: 'https://issuer.example/' } },
  };
  const { outcome, ...rest } = stripePaymentResult(intent as never);
  return 'code' in rest ? `${outcome} ${rest.code}` : outcome;
};
const checkoutCom = (status: string): string => {
  const balances = { total_captured: 500, total_refunded: 100 };
  const payment = { id: 'pay_1', requested_on: '', amount: 500, currency: 'USD', status, reference: '', scheme_id: '' };
  const found = checkoutComCandidateOf({ ...payment, source: null, billing_descriptor: null, balances }, []);
  return found ? `${found.captured} taken, ${found.refunded} given` : 'none';
};
const payPal = (status: string): string => {
  const payment = { id: '1', status, amount: { minor: 500n, currency: 'USD' }, create_time: '' };
  const found = payPalCandidateOf(payment as never, undefined, 'capture');
  return found ? `${found.captured} taken` : 'none';
};
const refundAtPayPal = (status: string): string => resultOfPayPalRefund({ id: '1', status } as never).outcome;

type Case = [
  name: string,
  published: readonly string[],
  read: (value: string) => string,
  expected: Record<string, string>,
];
const cases: readonly Case[] = [
  [
    'result codes of Adyen',
    adyenResultCodes,
    adyen,
    {
      // Of 3-D Secure alone, of parts of an amount, and of no card: not asked for, so the payment is looked at again.
      ...{ AuthenticationFinished: 'UNKNOWN', AuthenticationNotRequired: 'UNKNOWN', PartiallyAuthorised: 'UNKNOWN' },
      ...{ Success: 'UNKNOWN', Authorised: 'OK', RedirectShopper: 'PEND' },
      ...{ Cancelled: 'EXC card_declined', Error: 'EXC card_declined', Refused: 'EXC card_declined' },
      ...{ ChallengeShopper: 'EXC authentication_required', IdentifyShopper: 'EXC authentication_required' },
      ...{ Pending: 'PEND', PresentToShopper: 'PEND', Received: 'PEND' },
    },
  ],
  [
    'statuses of a payment at Stripe',
    stripeIntentStatuses,
    stripe,
    {
      ...{ requires_payment_method: 'EXC card_declined', requires_confirmation: 'PEND', requires_action: 'PEND' },
      ...{ processing: 'PEND', requires_capture: 'OK', canceled: 'EXC authentication_abandoned', succeeded: 'OK' },
    },
  ],
  [
    'conditions of NMI',
    nmiQueryFacts.conditions,
    nmi,
    {
      ...{ pending: 'UNKNOWN', pendingsettlement: 'UNKNOWN', complete: 'UNKNOWN', unknown: 'UNKNOWN' },
      ...{ in_progress: 'PEND', abandoned: 'EXC authentication_abandoned' },
      ...{ failed: 'EXC card_declined', canceled: 'EXC card_declined' },
    },
  ],
  [
    'statuses of a payment at Checkout.com',
    checkoutComPaymentStatuses,
    checkoutCom,
    {
      ...{ Pending: 'none', 'Card Verified': 'none', Declined: 'none', Canceled: 'none', Expired: 'none' },
      ...{ Voided: '500 taken, 500 given', Paid: '500 taken, 100 given' },
      ...Object.fromEntries(
        ['Authorized', 'Partially Authorized', 'Partially Captured', 'Captured', 'Partially Refunded', 'Refunded'].map(
          (status) => [status, '500 taken, 100 given'],
        ),
      ),
    },
  ],
  [
    'statuses of a capture at PayPal',
    payPalCaptureStatuses,
    payPal,
    {
      ...{ COMPLETED: '500 taken', PARTIALLY_REFUNDED: '500 taken', REFUNDED: '500 taken', PENDING: '0 taken' },
      ...{ DECLINED: 'none', FAILED: 'none' },
    },
  ],
  [
    'statuses of a refund at PayPal',
    payPalRefundStatuses,
    refundAtPayPal,
    { CANCELLED: 'EXC', FAILED: 'EXC', PENDING: 'PEND', COMPLETED: 'OK' },
  ],
  [
    'rejections of Braintree',
    braintreeRejections,
    (value) => codeOfDecline(undefined, value),
    {
      ...{ APPLICATION_INCOMPLETE: 'processor_credentials', AVS: 'card_declined', AVS_AND_CVV: 'incorrect_cvc' },
      ...{ CVV: 'incorrect_cvc', DUPLICATE: 'already_done', EXCESSIVE_RETRY: 'limit_exceeded' },
      ...{ FRAUD: 'suspected_fraud', MANUAL_TRANSACTIONS_DISABLED: 'processor_credentials' },
      ...{ PAYMENT_METHOD_BLOCKED: 'suspected_fraud', RISK_THRESHOLD: 'suspected_fraud' },
      ...{ THREE_D_SECURE: 'authentication_required', TOKEN_ISSUANCE: 'card_declined' },
      ...{ TOO_MANY_CONFIRMATION_ATTEMPTS: 'limit_exceeded', UNION_PAY_ENROLLMENT_REQUIRED: 'card_not_supported' },
    },
  ],
];

describe.each(cases)('%s', (_, published, read, expected) => {
  it('are all read as listed', () => {
    expect(Object.fromEntries(published.map((value) => [value, read(value)]))).toEqual(expected);
  });
});
