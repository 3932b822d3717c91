import { processorLoaders } from '../registered/registered-processors-client.ts';
import type { Route, RouteContext } from '../routing/routing.ts';
import type { Processor } from './processor.ts';

/** The processor behind a route. */
export const loadProcessor = async (route: Route, context: RouteContext): Promise<Processor> => {
  const load = await processorLoaders[route.processor]();
  return load(route, context);
};
