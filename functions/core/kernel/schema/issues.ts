import * as v from 'valibot';

/**
 * What is wrong with a value, never the value: valibot's own messages repeat it, which may be a secret, and so may those of a
 * schema that sets none. For a missing key there is no message of ours, because the schema of its value never ran.
 */
const wordsOf = ({ kind, type, received, expected, message }: v.BaseIssue<unknown>): string => {
  if (kind === 'schema' && type.endsWith('object') && received === 'undefined') return 'is required';
  return message.startsWith('Invalid ') ? `must be ${expected ?? 'valid'}` : message;
};

/** Each wrong field of a value and why, none twice: `amount: must be …`. `whole` names the value itself. */
export const issueWords = (issues: readonly v.BaseIssue<unknown>[], whole: string): string[] => [
  ...new Set(issues.map((issue) => `${v.getDotPath(issue) ?? whole}: ${wordsOf(issue)}`)),
];
