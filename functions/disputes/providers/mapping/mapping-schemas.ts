import * as v from 'valibot';
import { signingProviderNames } from '../providers.ts';
import { type ProviderMapping, pathForm } from './mapping.ts';

const Path = v.pipe(v.string(), v.regex(pathForm, 'must be a path such as $.case.id or $.amounts[0]'));

const Source = v.union(
  [
    Path,
    v.strictObject({
      from: Path,
      words: v.optional(v.record(v.string(), v.string())),
      default: v.optional(v.string()),
    }),
    v.strictObject({ value: v.string() }),
  ],
  'must be a path such as $.case.id, an object with from, or an object with value',
);

/** A file that maps a reseller's messages to a provider's fields. */
const MappingFile = v.strictObject({
  provider: v.picklist(signingProviderNames, `must be one of ${signingProviderNames.join(', ')}`),
  fields: v.record(
    v.pipe(v.string(), v.regex(/^[A-Za-z]\w*(?:\.[A-Za-z]\w*){0,3}$/, 'must be the name of a field, such as caseId')),
    Source,
  ),
});

const issueText = (issue: v.BaseIssue<unknown>): string => `${v.getDotPath(issue) ?? 'the file'}: ${issue.message}`;

/** A mapping, or what is wrong with each of its fields. */
export const readMapping = (given: unknown): ProviderMapping | string[] => {
  const { success, output, issues } = v.safeParse(MappingFile, given);
  return success ? output : issues.map(issueText);
};
