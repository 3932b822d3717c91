import { keys } from '../core/keys.ts';
import type { Item } from '../core/table.ts';
import type { Enrollment } from './enrollment.ts';

export const toEnrollmentItem = (enrollment: Enrollment): Item => ({
  ...keys.enrollment(enrollment.enrollmentId),
  entity: 'ENROLLMENT',
  enrollment,
});

/** Reads a request back. The table holds only what toEnrollmentItem wrote. */
export const fromEnrollmentItem = (item: Item | undefined): Enrollment | undefined =>
  item?.['enrollment'] as Enrollment | undefined;
