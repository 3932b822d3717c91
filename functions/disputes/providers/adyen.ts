import { defineProvider } from './provider.ts';

/**
 * Issuers' reports of fraud that Adyen passes on (`NOTIFICATION_OF_FRAUD`: Visa's TC40, Mastercard's SAFE), as `stripe.ts` has Stripe's. They
 * expect no answer.
 */
export const adyenWarnings = defineProvider({
  name: 'adyen',
  secret: null,
  enrolledBy: null,
  casesOf: 'merchant',
  reasons: [],
  codesWithAmount: [],
  ruleable: false,
  outcomes: null,
});
