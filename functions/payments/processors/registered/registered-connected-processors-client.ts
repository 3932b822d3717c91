// Written by npm run fix, from the folders of functions/payments/processors that declare a processor.
import type { ConnectedProcessorOf } from '../ports/account.ts';
import type { ConnectionKind } from '../ports/processors.ts';

/** Loads what a connection is asked by when it is first needed. */
export const connectedProcessorLoaders: Readonly<Record<ConnectionKind, () => Promise<ConnectedProcessorOf>>> = {
  sandbox: async () => (await import('../sandbox/sandbox-connected-client.ts')).sandboxConnectedProcessorOf,
  stripe: async () => (await import('../stripe/stripe-connected-client.ts')).stripeConnectedProcessorOf,
  adyen: async () => (await import('../adyen/adyen-connected-client.ts')).adyenConnectedProcessorOf,
  nmi: async () => (await import('../nmi/nmi-connected-client.ts')).nmiConnectedProcessorOf,
  braintree: async () => (await import('../braintree/braintree-connected-client.ts')).braintreeConnectedProcessorOf,
  http: async () => (await import('../http/http-connected-client.ts')).httpConnectedProcessorOf,
  paypal: async () => (await import('../paypal/paypal-connected-client.ts')).paypalConnectedProcessorOf,
  checkout_com: async () =>
    (await import('../checkout-com/checkout-com-connected-client.ts')).checkoutComConnectedProcessorOf,
  shopify: async () => (await import('../shopify/shopify-connected-client.ts')).shopifyConnectedProcessorOf,
  authorize_net: async () =>
    (await import('../authorize-net/authorize-net-connected-client.ts')).authorizeNetConnectedProcessorOf,
};
