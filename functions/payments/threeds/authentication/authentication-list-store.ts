import { siteVisibleTo } from '#accounts/merchants/site/site-row.ts';
import { type PageRequest, readPage } from '#core/platform/lists/listing-store.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { checkMerchantAccess, visibleOrRefuse } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import type { ListAuthentications } from '../api/list-authentications/operation.ts';
import type { Authentication } from './authentication.ts';
import { type AuthenticationSummary, authenticationEntity, facetsOfOutcomes } from './authentication-row.ts';
import { getAuthentication } from './authentication-store.ts';

/** The lists of authentications for callers with a token. */

/**
 * The smallest list that holds what is looked for and the caller may see; undefined if the filters exclude each other. Throws
 * merchant_not_found, site_not_found, request_invalid.
 */
const listFor = async (
  { mid, sid }: Pick<ListAuthentications, 'mid' | 'sid'>,
  caller: Caller,
): Promise<Pick<PageRequest, 'scopeIndex' | 'scope'> | undefined> => {
  checkMerchantAccess(mid, caller);
  const merchant = mid ?? caller.mid;
  if (sid !== undefined) {
    const { mid: owner } = siteVisibleTo(caller, await getItem(keys.site(sid)));
    return merchant === undefined || merchant === owner ? { scopeIndex: 2, scope: `S${sid}` } : undefined;
  }
  if (merchant === undefined) throw new Refusal('request_invalid', 'mid: is required for an administrator');
  return { scopeIndex: 1, scope: `M${merchant}` };
};

/** A page of authentications. */
export const authenticationsFor = async (
  { mid, sid, outcome, date_from: from, date_to: to, ...page }: ListAuthentications,
  caller: Caller,
) => {
  const list = await listFor({ mid, sid }, caller);
  if (!list) return { list: [], totalResult: 0, next_cursor: null };
  const read = await readPage<AuthenticationSummary>({
    entity: authenticationEntity,
    ...list,
    facets: outcome && facetsOfOutcomes(outcome),
    from,
    to,
    ...page,
  });
  const isWhole = page.cursor === undefined && read.next_cursor === null;
  return { ...read, totalResult: isWhole ? read.list.length : null };
};

/** An authentication that the caller may see. Throws authentication_not_found. */
export const authenticationFor = async (id: number, caller: Caller): Promise<Authentication> => {
  return visibleOrRefuse(
    await getAuthentication(id),
    caller,
    'authentication_not_found',
    'id: you have no such authentication.',
  );
};
