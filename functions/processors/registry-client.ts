import { optional } from '../core/environment.ts';
import type { Processor } from './processor.ts';
import type { Route } from './routing.ts';
import { openCredentials, type RouteContext } from './sealed-credentials.ts';

/**
 * The processor behind a route. Each adapter is loaded when it is first wanted: a site with one processor does not wait for
 * the code of the others.
 */
export const processorOf = async (route: Route, context: RouteContext): Promise<Processor> => {
  if (route.processor === 'sandbox') {
    if (optional('ALLOW_SANDBOX') !== 'true') throw new Error('The sandbox is not allowed here: see ALLOW_SANDBOX');
    const { sandboxProcessor } = await import('./sandbox/sandbox-client.ts');
    return sandboxProcessor(context);
  }
  if (route.processor === 'stripe') {
    const { stripeProcessor } = await import('./stripe/stripe-client.ts');
    return stripeProcessor(openCredentials('stripe', route, context));
  }
  if (route.processor === 'adyen') {
    const [{ adyenProcessor }, { adyenMemory }] = await Promise.all([
      import('./adyen/adyen-client.ts'),
      import('./adyen/adyen-store.ts'),
    ]);
    return adyenProcessor(openCredentials('adyen', route, context), adyenMemory(`S${context.sid}`));
  }
  const { tableClaims } = await import('./claims-store.ts');
  const claims = tableClaims(`S${context.sid}#${route.id}`);
  if (route.processor === 'nmi') {
    const { nmiProcessor } = await import('./nmi/nmi-client.ts');
    return nmiProcessor(openCredentials('nmi', route, context), claims);
  }
  const { braintreeProcessor } = await import('./braintree/braintree-client.ts');
  return braintreeProcessor(openCredentials('braintree', route, context), claims);
};
