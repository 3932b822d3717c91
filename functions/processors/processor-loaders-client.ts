import { optional } from '../core/environment.ts';
import type { Processor } from './processor.ts';
import type { ProcessorName } from './processors.ts';
import type { Route } from './routing.ts';
import { openCredentials, type RouteContext } from './sealed-credentials.ts';

type Loader = (route: Route, context: RouteContext) => Promise<Processor>;

const claimsOf = async (route: Route, { sid }: RouteContext) => {
  const { tableClaims } = await import('./claims-store.ts');
  return tableClaims(`S${sid}#${route.id}`);
};

/** Loads each adapter when it is first needed, so that a site with one processor does not wait for the code of the others. */
export const processorLoaders: Readonly<Record<ProcessorName, Loader>> = {
  sandbox: async (_route, context) => {
    if (optional('ALLOW_SANDBOX') !== 'true') throw new Error('The sandbox is not allowed here: see ALLOW_SANDBOX');
    const { sandboxProcessor } = await import('./sandbox/sandbox-client.ts');
    return sandboxProcessor(context);
  },
  stripe: async (route, context) => {
    const { stripeProcessor } = await import('./stripe/stripe-client.ts');
    return stripeProcessor(openCredentials('stripe', route, context));
  },
  adyen: async (route, context) => {
    const [{ adyenProcessor }, { adyenMemory }] = await Promise.all([
      import('./adyen/adyen-client.ts'),
      import('./adyen/adyen-store.ts'),
    ]);
    return adyenProcessor(openCredentials('adyen', route, context), adyenMemory(`S${context.sid}`));
  },
  nmi: async (route, context) => {
    const claims = await claimsOf(route, context);
    const { nmiProcessor } = await import('./nmi/nmi-client.ts');
    return nmiProcessor(openCredentials('nmi', route, context), claims);
  },
  braintree: async (route, context) => {
    const claims = await claimsOf(route, context);
    const { braintreeProcessor } = await import('./braintree/braintree-client.ts');
    return braintreeProcessor(openCredentials('braintree', route, context), claims);
  },
};
