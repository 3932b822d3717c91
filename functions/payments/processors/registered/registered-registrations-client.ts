// Written by npm run fix, from the folders of functions/payments/processors that declare a processor.
import type { RegistrationOf } from '../ports/account.ts';
import type { ConnectionKind } from '../ports/processors.ts';

/** Loads what registers the webhooks of a connection. Null: people do that at the processor, or it sends none. */
export const registrationLoaders: Readonly<Record<ConnectionKind, (() => Promise<RegistrationOf>) | null>> = {
  sandbox: null,
  stripe: async () => (await import('../stripe/stripe-registration-client.ts')).stripeRegistrationOf,
  adyen: null,
  nmi: null,
  braintree: null,
  http: null,
  paypal: async () => (await import('../paypal/paypal-registration-client.ts')).paypalRegistrationOf,
  checkout_com: async () =>
    (await import('../checkout-com/checkout-com-registration-client.ts')).checkoutComRegistrationOf,
  shopify: async () => (await import('../shopify/shopify-registration-client.ts')).shopifyRegistrationOf,
  authorize_net: null,
};
