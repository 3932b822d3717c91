import { defineProvider } from './provider.ts';

/**
 * Stripe's early fraud warnings for merchants' own accounts there: issuers report a charge as fraudulent, and expect no answer. They arrive
 * with the processors' webhooks; see disputes/chargebacks/warning/warning-flow.ts.
 */
export const stripeWarnings = defineProvider({
  name: 'stripe',
  secret: null,
  enrolledBy: null,
  casesOf: 'merchant',
  reasons: [],
  codesWithAmount: [],
  ruleable: false,
  outcomes: null,
});
