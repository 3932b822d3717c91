import type { Processor } from './processor.ts';
import { processorLoaders } from './processor-loaders-client.ts';
import type { Route } from './routing.ts';
import type { RouteContext } from './sealed-credentials.ts';

/** The processor behind a route. */
export const processorOf = (route: Route, context: RouteContext): Promise<Processor> =>
  processorLoaders[route.processor](route, context);
