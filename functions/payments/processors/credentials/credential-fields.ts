import * as v from 'valibot';
import { AnyText } from '#core/kernel/schema/text.ts';

/** Fields that the credentials of several processors share. */

export const Secret = (words: string, pattern: RegExp) =>
  v.pipe(v.string(words), v.maxLength(500, words), v.regex(pattern, words));
export const printable = /^[\x21-\x7e]+$/;
export const BaseUrl = v.optional(AnyText);
export const Environment = v.optional(v.picklist(['test', 'live'], 'must be test or live'), 'live');
/** For webhooks, which a connection need not use. */
export const OptionalSecret = v.optional(Secret('must be text without blanks', printable));

export const lastFour = (secret: unknown): string => `…${String(secret).slice(-4)}`;
