import * as v from 'valibot';
import { defineDue } from '#core/platform/work/due.ts';

/**
 * Begins the reports of the month before, if they are due: of users after one by name; null: from the first. Release 1.1.0 reads `mailId` alone, and
 * has no such e-mail to send.
 */
export const MonthlyReportsMessage = v.object({ mailId: v.literal('none'), reportsAfter: v.nullable(v.string()) });

export const reportsMessage = (reportsAfter: string | null): v.InferOutput<typeof MonthlyReportsMessage> => ({
  mailId: 'none',
  reportsAfter,
});

/** Reports are due on a day that is the same for all, so no row waits for it: each sweep asks. */
export const monthlyReportDue = defineDue({
  kind: 'MONTHLY_REPORT',
  queue: 'mail',
  message: MonthlyReportsMessage,
  swept: () => reportsMessage(null),
  everySlot: [reportsMessage(null)],
});
