import { readFirst } from '#core/platform/lists/listing-store.ts';
import { type LookupSummary, lookupEntity } from './lookup-row.ts';

/** An order is looked up a few times; beyond this many, older look-ups are not found by their order. */
const most = 1000;

/** The look-ups that found an order, newest first. One query for a hundred or so. */
export const readLookupsOfOrder = (orderId: number, size: number = most): Promise<LookupSummary[]> =>
  readFirst<LookupSummary>({
    entity: lookupEntity,
    scopeIndex: 3,
    scope: `O${orderId}`,
    order: 'DESC',
    size,
  });
