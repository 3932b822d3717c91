import * as v from 'valibot';
import type { CsvRecord } from '#core/kernel/csv/csv-table.ts';
import { parse } from '#core/platform/http/parse.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { itemNameProblem } from '#disputes/enrollments/enrollment.ts';
import { itemStatuses } from '#disputes/enrollments/enrollment-vocabulary.ts';
import { itemName, oneAmong } from '#disputes/enrollments/schemas.ts';
import { nestFields, type ReadLine, readLines, spelledAs, withColumns } from './rows.ts';

/** One item with a network's answer, in the columns of the dashboard's CSV of enrollments; further columns are for people. */
const AnsweredItem = v.object({
  enrollment_request_id: v.pipe(
    v.string('is required'),
    v.regex(/^\d{1,15}$/, 'must be a whole number'),
    v.transform(Number),
  ),
  ...itemName,
  status: v.pipe(
    v.string('is required'),
    v.transform((sent) => sent.trim().toUpperCase().replaceAll('_', ' ')),
    v.picklist(itemStatuses, oneAmong(itemStatuses)),
  ),
});
export type AnsweredItem = v.InferOutput<typeof AnsweredItem>;

/** The dashboard's CSV has an apostrophe before what a spreadsheet would take for a formula. */
const withoutGuard = (value: string): string => value.replace(/^'(?=[-+=@])/, '');

const readItem = (fields: Readonly<Record<string, string>>): AnsweredItem => {
  const plain = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, withoutGuard(value)]));
  const item = parse(AnsweredItem, nestFields(plain));
  const problem = itemNameProblem(item);
  if (problem) throw new Refusal('request_invalid', problem);
  return item;
};

/** Each line of the file in which a network answers enrollments, or what is wrong with it. */
export const readEnrollmentLines = (records: readonly CsvRecord[]): ReadLine<AnsweredItem>[] => {
  const spelled = spelledAs(AnsweredItem, records);
  return withColumns(spelled, readLines(spelled, readItem));
};
