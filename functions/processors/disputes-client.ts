import type { DisputePort } from './dispute.ts';
import type { Route } from './routing.ts';
import { openCredentials, type RouteContext } from './sealed-credentials.ts';

/**
 * The disputes of a site's account. Each adapter is loaded when it is first wanted.
 */
export const disputesAt = async (route: Route, context: RouteContext): Promise<DisputePort> => {
  if (route.processor === 'sandbox') {
    const { sandboxDisputes } = await import('./sandbox/sandbox-dispute-store.ts');
    return sandboxDisputes(context.sid);
  }
  if (route.processor === 'stripe') {
    const { stripeDisputes } = await import('./stripe/stripe-disputes-client.ts');
    return stripeDisputes(openCredentials('stripe', route, context));
  }
  if (route.processor === 'nmi') {
    const { nmiDisputes } = await import('./nmi/nmi-disputes-client.ts');
    return nmiDisputes(openCredentials('nmi', route, context));
  }
  if (route.processor === 'braintree') {
    const { braintreeDisputes } = await import('./braintree/braintree-disputes-client.ts');
    return braintreeDisputes(openCredentials('braintree', route, context));
  }
  return adyenDisputes(`S${context.sid}`);
};

/** What Adyen's webhooks told of disputes. `scope`: whose. */
export const adyenDisputes = async (scope: string): Promise<DisputePort> => {
  const [{ adyenMemory }, { disputeOfNotices }] = await Promise.all([
    import('./adyen/adyen-store.ts'),
    import('./adyen/adyen-disputes.ts'),
  ]);
  const memory = adyenMemory(scope);
  return {
    look: async (reference) => ({
      found: disputeOfNotices(reference, (await memory.recall(reference)).notices) ?? null,
    }),
  };
};
