import type { Reseal } from '#core/kernel/key-ring.ts';
import { credentialsContext, type Route, type SiteProcessors } from './routing.ts';

/** Returns a site's routes, retired ones included, with all credentials resealed. */
export const resealedProcessors = (sid: number, processors: SiteProcessors, reseal: Reseal): SiteProcessors => {
  const anew = (route: Route): Route =>
    route.sealed === null ? route : { ...route, sealed: reseal(credentialsContext(sid, route.id), route.sealed) };
  return { ...processors, routes: processors.routes.map(anew), retired: processors.retired.map(anew) };
};
