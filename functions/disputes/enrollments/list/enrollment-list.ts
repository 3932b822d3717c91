import type * as v from 'valibot';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { EnrollmentSummary, ListEnrollments } from '../schemas.ts';

export type EnrollmentFilters = v.InferOutput<typeof ListEnrollments>;

/** In JSON a page must be named; a form may leave it out. Throws request_invalid. */
export const requireEnrollmentPage = ({ size, offset }: EnrollmentFilters, contentType: string | undefined): void => {
  if (contentType?.includes('form')) return;
  const missing = [...(size === undefined ? ['size'] : []), ...(offset === undefined ? ['offset'] : [])];
  if (missing.length > 0) {
    throw new Refusal('request_invalid', missing.map((name) => `${name}: is required`).join('; '));
  }
};

type Field = EnrollmentFilters['sort_field'];

/** The fields by which the lists are already sorted: numbers are given out in the order of requests. */
export const isListOrder = (field: Field): boolean => field === 'request_date' || field === 'enrollment_request_id';

/** Sorted by a field; requests without it come last, and among equals the newer first. */
export const sortRequests = (
  list: readonly EnrollmentSummary[],
  field: Field,
  order: 'ASC' | 'DESC',
): EnrollmentSummary[] =>
  [...list].sort((left, right) => {
    const [one, other] = [left[field], right[field]];
    if (one === other) return right.enrollment_request_id - left.enrollment_request_id;
    if (one === null || other === null) return one === null ? 1 : -1;
    return one < other === (order === 'ASC') ? -1 : 1;
  });
