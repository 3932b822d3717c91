import * as v from 'valibot';
import { Refusal } from './errors.ts';
import { issueWords } from './issues.ts';

/** A list of wrong entries would make an answer, and a log line, of many times the size of the request. */
const mostIssues = 50;

/** Parses a value by a schema, or refuses it with each wrong field and why: `amount: must be …; currency: …`. */
export const parse = <S extends v.GenericSchema>(schema: S, input: unknown): v.InferOutput<S> => {
  // Of one field, what is wrong first: what comes after mostly follows from it.
  const result = v.safeParse(schema, input, { abortPipeEarly: true });
  if (result.success) return result.output;
  const issues = issueWords(result.issues, 'body');
  const more = issues.length - mostIssues;
  const named = issues.slice(0, mostIssues).join('; ');
  throw new Refusal('request_invalid', more > 0 ? `${named}; and ${more} more` : named);
};
