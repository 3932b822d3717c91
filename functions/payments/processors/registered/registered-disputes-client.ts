// Written by npm run fix, from the folders of functions/payments/processors that declare a processor.
import type { DisputesOf } from '../ports/account.ts';
import type { AnyProcessorName } from '../ports/processors.ts';

/** Loads what looks at disputes when it is first needed. Null: the processor reports none. */
export const disputeLoaders: Readonly<Record<AnyProcessorName, (() => Promise<DisputesOf>) | null>> = {
  sandbox: async () => (await import('../sandbox/sandbox-disputes-client.ts')).sandboxDisputesOf,
  stripe: async () => (await import('../stripe/stripe-disputes-client.ts')).stripeDisputesOf,
  adyen: async () => (await import('../adyen/adyen-disputes-client.ts')).adyenDisputesOf,
  nmi: async () => (await import('../nmi/nmi-disputes-client.ts')).nmiDisputesOf,
  braintree: async () => (await import('../braintree/braintree-disputes-client.ts')).braintreeDisputesOf,
  http: async () => (await import('../http/http-disputes-client.ts')).httpDisputesOf,
  paypal: async () => (await import('../paypal/paypal-disputes-client.ts')).paypalDisputesOf,
  checkout_com: async () => (await import('../checkout-com/checkout-com-disputes-client.ts')).checkoutComDisputesOf,
  shopify: async () => (await import('../shopify/shopify-disputes-client.ts')).shopifyDisputesOf,
  authorize_net: null,
};
