import * as v from 'valibot';
import { defineDue } from '#core/platform/work/due.ts';

/** Begins the reports of the month before, if they are due: of users after one by name; null: from the first. */
export const MonthlyReportsMessage = v.object({ reportsAfter: v.nullable(v.string()) });

/** Reports are due on a day that is the same for all, so no row waits for it: each sweep asks. */
export const monthlyReportDue = defineDue({
  kind: 'MONTHLY_REPORT',
  queue: 'mail',
  message: MonthlyReportsMessage,
  swept: () => ({ reportsAfter: null }),
  everySlot: [{ reportsAfter: null }],
});
