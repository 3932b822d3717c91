// Written by npm run fix, from the folders of functions/payments/processors that declare a processor.
import type { ProcessorOf } from '../ports/account.ts';
import type { ProcessorName } from '../ports/processors.ts';

/** Loads each adapter when it is first needed, so that a site with one processor does not wait for the code of the others. */
export const processorLoaders: Readonly<Record<ProcessorName, () => Promise<ProcessorOf>>> = {
  sandbox: async () => (await import('../sandbox/sandbox-client.ts')).sandboxProcessorOf,
  stripe: async () => (await import('../stripe/stripe-client.ts')).stripeProcessorOf,
  adyen: async () => (await import('../adyen/adyen-client.ts')).adyenProcessorOf,
  nmi: async () => (await import('../nmi/nmi-client.ts')).nmiProcessorOf,
  braintree: async () => (await import('../braintree/braintree-client.ts')).braintreeProcessorOf,
};
