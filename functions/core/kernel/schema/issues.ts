import * as v from 'valibot';

/**
 * Describes the problem of a value, never the value: valibot's own messages repeat it, and it may be a secret. The same goes for messages
 * of a schema that sets none. A missing key has no message of its own, because the schema of its value never ran.
 */
const describeIssue = ({ kind, type, received, expected, message }: v.BaseIssue<unknown>): string => {
  if (kind === 'schema' && type.endsWith('object') && received === 'undefined') return 'is required';
  return message.startsWith('Invalid ') ? `must be ${expected ?? 'valid'}` : message;
};

/** Each wrong field of a value and why, none twice: `amount: must be …`. `whole` names the value itself. */
export const issueWords = (issues: readonly v.BaseIssue<unknown>[], whole: string): string[] => [
  ...new Set(issues.map((issue) => `${v.getDotPath(issue) ?? whole}: ${describeIssue(issue)}`)),
];
