import * as v from 'valibot';

/** A month, YYYY-MM. */
export const Month = v.pipe(
  v.string('must be a month, YYYY-MM'),
  v.regex(/^20\d\d-(?:0[1-9]|1[0-2])$/, 'must be a month, YYYY-MM'),
  v.description('YYYY-MM.'),
);
