import type { Processor } from './processor.ts';
import { processorLoaders } from './registered-processors-client.ts';
import type { Route, RouteContext } from './routing.ts';

/** The processor behind a route. */
export const processorOf = async (route: Route, context: RouteContext): Promise<Processor> => {
  const load = await processorLoaders[route.processor]();
  return load(route, context);
};
