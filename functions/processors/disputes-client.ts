import type { DisputePort } from './dispute.ts';
import type { Route } from './routing.ts';
import { openCredentials, type RouteContext } from './sealed-credentials.ts';

/**
 * The disputes of an account; undefined where its processor tells of none. Each adapter is loaded when it is first wanted.
 */
export const disputesAt = async (route: Route, context: RouteContext): Promise<DisputePort | undefined> => {
  if (route.processor === 'sandbox') {
    const { sandboxDisputes } = await import('./sandbox/sandbox-dispute-store.ts');
    return sandboxDisputes(context.sid);
  }
  if (route.processor === 'stripe') {
    const { stripeDisputes } = await import('./stripe/stripe-disputes-client.ts');
    return stripeDisputes(openCredentials('stripe', route, context));
  }
  if (route.processor !== 'adyen') return undefined;
  const [{ adyenMemory }, { disputeOfNotices }] = await Promise.all([
    import('./adyen/adyen-store.ts'),
    import('./adyen/adyen-disputes.ts'),
  ]);
  const memory = adyenMemory(`S${context.sid}`);
  return {
    look: async (reference) => ({
      found: disputeOfNotices(reference, (await memory.recall(reference)).notices) ?? null,
    }),
  };
};
