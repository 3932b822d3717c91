import { defineProvider } from './provider.ts';

/**
 * Stripe's early fraud warnings, at merchants' own accounts there: issuers tell of fraud with a charge, of which nobody awaits an
 * answer. They come with the webhooks of processors; see chargebacks/warning-flow.ts.
 */
export const stripe = defineProvider({
  name: 'stripe',
  secret: null,
  enrolledBy: null,
  casesOf: 'merchant',
  reasons: [],
  codesWithAmount: [],
  ruleable: false,
  outcomes: null,
});
