import { adyenCalls } from './adyen/calls.ts';
import { authorizeNetCalls } from './authorize-net/calls.ts';
import { checkoutComCalls } from './checkout-com/calls.ts';
import { braintreeCalls, shopifyCalls } from './graphql.ts';
import { nmiCalls } from './nmi/calls.ts';
import { payPalCalls } from './paypal/calls.ts';
import type { Contract } from './schema.ts';
import { stripeCalls } from './stripe/calls.ts';
import { threeDSecureIoCalls } from './threedsecureio/calls.ts';
import { wooCommerceCalls } from './woocommerce/calls.ts';

/** The contract of each stand-in, by the name of its file. */
export const contracts: Readonly<Record<string, Contract>> = {
  adyen: adyenCalls,
  'authorize-net': authorizeNetCalls,
  braintree: braintreeCalls,
  'checkout-com': checkoutComCalls,
  nmi: nmiCalls,
  paypal: payPalCalls,
  shopify: shopifyCalls,
  stripe: stripeCalls,
  threedsecureio: threeDSecureIoCalls,
  woocommerce: wooCommerceCalls,
};
