import * as v from 'valibot';

/** A hash of the interface. Kept apart from request-schemas.ts, which brings what whole orders need into a bundle. */
export const Hash = v.pipe(
  v.string('must be text'),
  v.regex(/^[\da-fA-F]{32}$/, 'must be 32 hexadecimal digits (md5)'),
);
