import { describeError, log } from '#core/platform/log/log.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import type { Processor, ProcessorResult } from '#payments/processors/ports/processor.ts';
import { loadProcessor } from '#payments/processors/ports/registry-client.ts';
import type { RouteContext } from '#payments/processors/routing/routing.ts';
import { type Route, routeOfId, type SiteProcessors } from '#payments/processors/routing/routing.ts';
import type { Transaction } from '../transaction/transaction.ts';

/** The processor that took a payment, for whatever is done to it later; undefined if its account is no longer known. */
export type ProcessorFor = (transaction: Transaction, processors: SiteProcessors) => Promise<Processor | undefined>;

/** The processor of a route; undefined if its credentials cannot be opened: nothing was asked then, so that is definite. */
export const usableProcessor = async (route: Route, context: RouteContext): Promise<Processor | undefined> => {
  try {
    return await loadProcessor(route, context);
  } catch (error) {
    log('error', 'processor_unusable', { sid: context.sid, routeId: route.id, error: describeError(error) });
    return undefined;
  }
};

/** By the site's routes, those that are retired included. */
export const processorOfTransaction: ProcessorFor = async ({ routeId, sid }, processors) => {
  const route = routeId === null ? undefined : routeOfId(processors, routeId);
  return route && usableProcessor(route, { sid, ring: await keyRing('encryption') });
};

/** Adapters never throw by contract; if one does, it is unknown whether it moved money. */
export const askSafely = async <T>(ask: () => Promise<T>): Promise<T | ProcessorResult> => {
  try {
    return await ask();
  } catch (error) {
    log('error', 'processor_threw', { error: describeError(error) });
    return { outcome: 'UNKNOWN', detail: 'The adapter failed' };
  }
};
