import * as v from 'valibot';
import type { Invocation } from '../functions/function-runner.ts';

const Answer = v.object({ batchItemFailures: v.array(v.object({ itemIdentifier: v.string() })) });

/**
 * Which records of a batch a function reports as failed, by identifier; `all` when it failed as a whole. Without
 * ReportBatchItemFailures an answer means success, whatever it says.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 */
export const failedIn = (
  { result, error }: Pick<Invocation, 'result' | 'error'>,
  reportsFailures: boolean,
  identifiers: readonly string[],
): 'all' | ReadonlySet<string> => {
  if (error) return 'all';
  if (!reportsFailures || result === null || result === '' || isEmpty(result)) return new Set();
  const answer = v.safeParse(Answer, result);
  if (!answer.success) return 'all';
  const failed = answer.output.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  // An identifier that is none of the batch's makes Lambda treat the whole batch as failed.
  return failed.every((identifier) => identifiers.includes(identifier)) ? new Set(failed) : 'all';
};

/** A stream goes on at the first failure that is reported: what comes after it was not taken either. */
export const untakenRecords = <T>(
  records: readonly T[],
  failed: 'all' | ReadonlySet<string>,
  identify: (record: T) => string,
): readonly T[] => {
  if (failed === 'all') return records;
  const first = records.findIndex((record) => failed.has(identify(record)));
  return first < 0 ? [] : records.slice(first);
};

const isEmpty = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && (Object.keys(result).length === 0 || isNullList(result));

const isNullList = (result: object): boolean => 'batchItemFailures' in result && result.batchItemFailures === null;
