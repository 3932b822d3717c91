// Written by npm run fix, from the folders of functions/payments/processors that declare a processor.
import type { GatewayOf } from '../ports/account.ts';
import type { GatewayKind } from '../ports/processors.ts';

/** Loads what a connection is asked by when it is first needed. */
export const gatewayLoaders: Readonly<Record<GatewayKind, () => Promise<GatewayOf>>> = {
  sandbox: async () => (await import('../sandbox/sandbox-gateway-client.ts')).sandboxGatewayOf,
  stripe: async () => (await import('../stripe/stripe-gateway-client.ts')).stripeGatewayOf,
  adyen: async () => (await import('../adyen/adyen-gateway-client.ts')).adyenGatewayOf,
  nmi: async () => (await import('../nmi/nmi-gateway-client.ts')).nmiGatewayOf,
  braintree: async () => (await import('../braintree/braintree-gateway-client.ts')).braintreeGatewayOf,
  http: async () => (await import('../http/http-gateway-client.ts')).httpGatewayOf,
  paypal: async () => (await import('../paypal/paypal-gateway-client.ts')).paypalGatewayOf,
  checkout_com: async () => (await import('../checkout-com/checkout-com-gateway-client.ts')).checkoutComGatewayOf,
  shopify: async () => (await import('../shopify/shopify-gateway-client.ts')).shopifyGatewayOf,
  authorize_net: async () => (await import('../authorize-net/authorize-net-gateway-client.ts')).authorizeNetGatewayOf,
};
