import * as v from 'valibot';
import { issueWords } from '#core/kernel/schema/issues.ts';
import { Refusal } from '../operation/errors.ts';

/** A list of wrong entries would make the reply and the log line many times as large as the request. */
const maxIssues = 50;

/** Parses a value by a schema, or refuses it with each wrong field and why: `amount: must be …; currency: …`. */
export const parse = <S extends v.GenericSchema>(schema: S, input: unknown): v.InferOutput<S> => {
  // Only the first problem of each field: the later ones mostly follow from it.
  const result = v.safeParse(schema, input, { abortPipeEarly: true });
  if (result.success) return result.output;
  const issues = issueWords(result.issues, 'body');
  const more = issues.length - maxIssues;
  const named = issues.slice(0, maxIssues).join('; ');
  throw new Refusal('request_invalid', more > 0 ? `${named}; and ${more} more` : named);
};
