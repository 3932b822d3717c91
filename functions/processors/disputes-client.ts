import type { DisputePort } from './dispute.ts';
import type { ProcessorName } from './processors.ts';
import type { Route } from './routing.ts';
import { openCredentials, type RouteContext } from './sealed-credentials.ts';

type Loader = (route: Route, context: RouteContext) => Promise<DisputePort>;

/** How each adapter is loaded: when it is first wanted. */
const loaders: Readonly<Record<ProcessorName, Loader>> = {
  sandbox: async (_route, { sid }) => (await import('./sandbox/sandbox-dispute-store.ts')).sandboxDisputes(sid),
  stripe: async (route, context) => {
    const { stripeDisputes } = await import('./stripe/stripe-disputes-client.ts');
    return stripeDisputes(openCredentials('stripe', route, context));
  },
  adyen: (_route, { sid }) => adyenDisputes(`S${sid}`),
  nmi: async (route, context) => {
    const { nmiDisputes } = await import('./nmi/nmi-disputes-client.ts');
    return nmiDisputes(openCredentials('nmi', route, context));
  },
  braintree: async (route, context) => {
    const { braintreeDisputes } = await import('./braintree/braintree-disputes-client.ts');
    return braintreeDisputes(openCredentials('braintree', route, context));
  },
};

/** The disputes of a site's account. */
export const disputesAt = (route: Route, context: RouteContext): Promise<DisputePort> =>
  loaders[route.processor](route, context);

/** The disputes that Adyen's webhooks reported. `scope`: whose. */
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
