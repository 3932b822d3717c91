import * as v from 'valibot';

/** A hash of the interface. Apart from request-schemas.ts, which brings what whole orders need. */
export const Hash = v.pipe(
  v.string('must be text'),
  v.regex(/^[\da-fA-F]{32}$/, 'must be 32 hexadecimal digits (md5)'),
);
