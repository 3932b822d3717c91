import * as v from 'valibot';
import { nullableTexts, numbers, texts } from '#core/kernel/schema/shape-fields.ts';
import { crossFacets, facetOf, listKeys, listPosition } from '#core/platform/lists/listing.ts';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { Enrollment, ItemStatus, OverallStatus } from './enrollment.ts';
import { enrollmentDue } from './enrollment-due.ts';
import { enrollmentSummary } from './enrollment-payload.ts';
import { nextAt } from './enrollment-provider.ts';
import { itemStatuses } from './enrollment-vocabulary.ts';

/** The entity under which requests are listed. */
export const enrollmentEntity = 'ENROLLMENT';

const EnrollmentRow = defineRow<Enrollment>({
  entity: enrollmentEntity,
  attribute: 'enrollment',
  schema: v.looseObject({
    ...numbers('enrollmentId', 'sid', 'mid', 'rid', 'version'),
    ...texts('merchantName', 'siteName', 'providedBy', 'createdAt', 'updatedAt'),
    emailCcList: v.array(v.string()),
    items: v.array(
      v.looseObject({
        number: v.number(),
        ...texts('provider', 'descriptor', 'status', 'lastActivity'),
        ...nullableTexts('matchType', 'mcc', 'networkBin', 'networkCaid', 'networkArn', 'rdrRuleset', 'enrolledAt'),
        next: v.nullable(v.looseObject({ status: v.string(), at: v.string() })),
      }),
    ),
  }),
});

/** The statuses that a request's items have, as one word: requests are filtered by any of them. */
const joinStates = (statuses: readonly ItemStatus[]): string =>
  itemStatuses.filter((status) => statuses.includes(status)).join('+');

/** Every set of statuses that the items of one request can have. */
const statusSets: readonly (readonly ItemStatus[])[] = Array.from(
  { length: 2 ** itemStatuses.length - 1 },
  (_, index) => itemStatuses.filter((_status, bit) => ((index + 1) >> bit) % 2 === 1),
);

const hasStatus = (set: readonly ItemStatus[], status: OverallStatus): boolean =>
  status === 'PARTIALLY ENROLLED' ? set.includes('ENROLLED') && set.length > 1 : set.includes(status);

/** The facets of requests that have an item of any of these statuses. */
export const enrollmentFacets = (statuses: readonly OverallStatus[]): string[] =>
  crossFacets(statusSets.filter((set) => statuses.some((status) => hasStatus(set, status))).map(joinStates), ['-']);

const rowLists = ({ enrollmentId, mid, rid, sid, items, createdAt }: Enrollment) =>
  listKeys(
    enrollmentEntity,
    ['all', `M${mid}`, `R${rid}`, `S${sid}`],
    facetOf(joinStates(items.map(({ status }) => status)), '-'),
    listPosition(createdAt, String(enrollmentId).padStart(12, '0')),
  );

/** `nextAt` is also stored outside of the request, for readers of the stream. */
export const toEnrollmentItem = (enrollment: Enrollment): Item => {
  const at = nextAt(enrollment.items);
  return {
    ...keys.enrollment(enrollment.enrollmentId),
    ...EnrollmentRow.stamp,
    ...rowLists(enrollment),
    ...(at !== undefined && { ...enrollmentDue.keys(at, enrollment.enrollmentId), nextAt: at }),
    id: enrollment.enrollmentId,
    sid: enrollment.sid,
    summary: enrollmentSummary(enrollment),
    enrollment,
  };
};

/** Reads a request back. */
export const fromEnrollmentItem = EnrollmentRow.find;
