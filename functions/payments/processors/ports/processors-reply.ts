import type { Route, SiteProcessors } from '../routing/routing.ts';

/** Returns a route without its credentials. */

const routeReply = ({ id, processor, schemes, currencies, min, max }: Route) => ({
  id,
  processor,
  min,
  max,
  schemes: schemes && [...schemes],
  currencies: currencies && [...currencies],
});

export const savedReply = (sid: number, { routes }: SiteProcessors) => ({
  status: 'ok' as const,
  sid,
  routes: routes.map(routeReply),
});

/** With hints about whose credentials they are. */
export const toProcessorsDto = (sid: number, { routes, retired }: SiteProcessors, allowSandbox: boolean) => ({
  sid,
  routes: routes.map((route) => ({ ...routeReply(route), credentials: { ...route.shown } })),
  retired: retired.map(({ id, processor, shown }) => ({ id, processor, credentials: { ...shown } })),
  uses_sandbox: routes.length === 0 && allowSandbox,
});
