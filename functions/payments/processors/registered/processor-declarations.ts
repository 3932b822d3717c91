// Written by npm run fix, from the folders of functions/payments/processors that declare a processor.
import { adyen } from '../adyen/adyen-declaration.ts';
import { authorizeNet } from '../authorize-net/authorize-net-declaration.ts';
import { braintree } from '../braintree/braintree-declaration.ts';
import { checkoutCom } from '../checkout-com/checkout-com-declaration.ts';
import { http } from '../http/http-declaration.ts';
import { nmi } from '../nmi/nmi-declaration.ts';
import { paypal } from '../paypal/paypal-declaration.ts';
import { sandbox } from '../sandbox/sandbox-declaration.ts';
import { shopify } from '../shopify/shopify-declaration.ts';
import { stripe } from '../stripe/stripe-declaration.ts';

/** The declarations of all processors. */
export const declarations = {
  sandbox,
  stripe,
  adyen,
  nmi,
  braintree,
  http,
  paypal,
  checkout_com: checkoutCom,
  shopify,
  authorize_net: authorizeNet,
} as const;
