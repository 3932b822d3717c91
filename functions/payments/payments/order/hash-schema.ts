import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { allowsCardNumbers } from '#core/kernel/schema/text.ts';
import { Maybe } from '../field-schemas.ts';

/** A hash of the interface. Kept apart from request-schemas.ts, which brings what whole orders need into a bundle. */
export const Hash = v.pipe(
  v.string('must be text'),
  v.regex(/^[\da-fA-F]{32}$/, 'must be 32 hexadecimal digits (md5)'),
  allowsCardNumbers('a hash is compared and not stored, and may begin with the digits of a card number'),
);

/** Where a call may be proven by a signature of its body instead. */
export const MaybeHash = describeField(
  Maybe(Hash),
  'The md5 that proves that you know the rcode. Left out where the header `x-signature` signs the body; see “Take payments” among the guides.',
);
