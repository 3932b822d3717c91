import { crossFacets } from '#core/platform/lists/listing.ts';
import type { PageRequest } from '#core/platform/lists/listing-store.ts';
import { canAccessMerchant } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import type { Retailer } from '../merchant/merchant.ts';
import { siteEntity } from './site.ts';

type Filters = Pick<PageRequest, 'size' | 'offset' | 'cursor' | 'order'> & {
  mid?: number | undefined;
  rid?: number | undefined;
  type?: readonly string[] | undefined;
};

/**
 * Which list serves a caller's filters: see the scopes in site-row.ts. `retailer` is the one of `rid` if the caller may
 * see it. Undefined when there can be nothing to see.
 */
export const siteListRequest = (
  { mid, rid, type, ...page }: Filters,
  caller: Caller,
  retailer: Retailer | undefined,
): PageRequest | undefined => {
  const common = { entity: siteEntity, ...page, facets: type && crossFacets(type, ['-']) };
  const owner = mid ?? caller.mid;
  if (owner !== undefined && !canAccessMerchant(caller, owner)) return undefined;
  if (rid === undefined) {
    return owner === undefined
      ? { ...common, scopeIndex: 1, scope: 'all' }
      : { ...common, scopeIndex: 2, scope: `M${owner}` };
  }
  if (!retailer || (owner !== undefined && retailer.mid !== owner)) return undefined;
  return { ...common, scopeIndex: 3, scope: `R${rid}` };
};
