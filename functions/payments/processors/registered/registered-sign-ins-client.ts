// Written by npm run fix, from the folders of functions/payments/processors that declare a processor.
import type { SignIn } from '../ports/account.ts';
import type { ConnectionKind } from '../ports/processors.ts';

/** Loads what connects an account by a sign-in. Null: people enter its keys. */
export const signInLoaders: Readonly<Record<ConnectionKind, (() => Promise<SignIn>) | null>> = {
  sandbox: null,
  stripe: async () => (await import('../stripe/stripe-sign-in-client.ts')).stripeSignIn,
  adyen: null,
  nmi: null,
  braintree: null,
  http: null,
  paypal: null,
  checkout_com: null,
  shopify: null,
  authorize_net: null,
};
