import { adyenCalls } from './adyen/calls.ts';
import { payPalCalls } from './paypal/calls.ts';
import type { Contract } from './schema.ts';
import { stripeCalls } from './stripe/calls.ts';

/** The contract of each stand-in, by the name of its file. */
export const contracts: Readonly<Record<string, Contract>> = {
  adyen: adyenCalls,
  paypal: payPalCalls,
  stripe: stripeCalls,
};
