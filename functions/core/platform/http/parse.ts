import * as v from 'valibot';
import { issueWords } from '#core/kernel/schema/issues.ts';
import { Refusal } from '../operation/errors.ts';

/** A list of wrong entries would make the reply and the log line many times as large as the request. */
const maxIssues = 50;

/**
 * Returns the field with half of a surrogate pair in its text or in a name within it, which the table and the queues refuse; undefined if
 * there is none. What a schema accepts is checked here once, so that no field can forget to.
 */
const findHalfPair = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : '';
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, one] of Object.entries(value)) {
    if (!name.isWellFormed()) return '';
    const below = findHalfPair(one);
    if (below !== undefined) return below === '' ? name : `${name}.${below}`;
  }
  return undefined;
};

/** Parses a value by a schema, or refuses it with each wrong field and why: `amount: must be …; currency: …`. */
export const parse = <S extends v.GenericSchema>(schema: S, input: unknown): v.InferOutput<S> => {
  // Only the first problem of each field: the later ones mostly follow from it.
  const result = v.safeParse(schema, input, { abortPipeEarly: true });
  if (result.success) {
    const field = findHalfPair(result.output);
    if (field === undefined) return result.output;
    throw new Refusal('request_invalid', `${field || 'body'}: must be well-formed Unicode`);
  }
  const issues = issueWords(result.issues, 'body');
  const more = issues.length - maxIssues;
  const named = issues.slice(0, maxIssues).join('; ');
  throw new Refusal('request_invalid', more > 0 ? `${named}; and ${more} more` : named);
};
