import { ownersFilter } from '#accounts/merchants/merchant/owners-store.ts';
import { type PageRequest, readPage } from '#core/platform/lists/listing-store.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { enrollmentEntity, enrollmentFacets } from '../enrollment-row.ts';
import type { EnrollmentSummary } from '../schemas.ts';
import { type EnrollmentFilters, isListOrder, sortRequests } from './enrollment-list.ts';

export type EnrollmentPage = { list: EnrollmentSummary[]; totalResult: number };

/** The number of requests that are sorted by a field without an index. */
const maxSorted = 1000;

/** One page of the requests that a caller's filters allow. Throws request_invalid if there are too many to sort. */
export const listEnrollments = async (filters: EnrollmentFilters, caller: Caller): Promise<EnrollmentPage> => {
  const { status, mid, rid, sid, date_from: from, date_to: to, order, sort_field, size = 50, offset = 0 } = filters;
  const scope = await ownersFilter({ mid, rid, sid }, caller);
  if (!scope) return { list: [], totalResult: 0 };
  const facets = status && enrollmentFacets(status);
  const request: PageRequest = { entity: enrollmentEntity, ...scope, facets, from, to, order, size, offset };
  if (isListOrder(sort_field)) {
    const { list, totalResult } = await readPage<EnrollmentSummary>(request);
    return { list, totalResult };
  }
  const all = await readAll({ ...request, offset: undefined, size: 500 });
  return { list: sortRequests(all, sort_field, order).slice(offset, offset + size), totalResult: all.length };
};

const readAll = async (request: PageRequest): Promise<EnrollmentSummary[]> => {
  const all: EnrollmentSummary[] = [];
  let cursor: string | undefined;
  do {
    const page = await readPage<EnrollmentSummary>({ ...request, cursor });
    all.push(...page.list);
    if (all.length > maxSorted) {
      throw new Refusal('request_invalid', `sort_field: more than ${maxSorted} requests match; narrow the filters`);
    }
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return all;
};
