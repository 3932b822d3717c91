import * as v from 'valibot';
import { holdsCardNumber } from '../card/card-numbers.ts';
import { LongText, OptionalLongText, OptionalText, Text } from './schema.ts';

/** For text that is stored, echoed or passed on: people put card numbers anywhere, and they would stay there. */
export const CardFree = v.check((text: string) => !holdsCardNumber(text), 'must not hold a card number');

/** Text, as `Text` takes it, that is stored as sent. */
export const KeptText = (longest: number) => v.pipe(Text(longest), CardFree);

/** The same of several lines. */
export const KeptLongText = (longest: number) => v.pipe(LongText(longest), CardFree);

/** The same as `KeptText`, and may be absent or empty. */
export const OptionalKeptText = (longest: number) => v.optional(v.pipe(v.unwrap(OptionalText(longest)), CardFree));

/** The same of several lines. */
export const OptionalKeptLongText = (longest: number) =>
  v.optional(v.pipe(v.unwrap(OptionalLongText(longest)), CardFree));
