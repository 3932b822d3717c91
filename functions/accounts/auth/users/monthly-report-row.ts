import * as v from 'valibot';
import type { Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { User } from './user.ts';

/** A user who gets the report of each month, and whose merchant it is about. */
export type ReportReader = { username: string; mid: number };

const ReportReaderRow = defineRow<ReportReader>({
  entity: 'MONTHLY_REPORT',
  attribute: null,
  schema: v.looseObject({ username: v.string(), mid: v.number() }),
});

/** The part of a transaction that follows a user's choice. Operators have no merchant to report on. */
export const monthlyReportWrites = ({ username, mid, monthlyReport }: User): Write[] => {
  const key = keys.monthlyReport(username);
  if (!monthlyReport || mid === null) return [{ Delete: { Key: key } }];
  return [{ Put: { Item: { ...key, ...ReportReaderRow.stamp, username, mid } } }];
};

export const fromReportReaderItem = ReportReaderRow.find;
