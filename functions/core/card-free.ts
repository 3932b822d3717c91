import * as v from 'valibot';
import { holdsCardNumber } from './card-numbers.ts';
import { OptionalText, Text } from './schema.ts';

/** Of what is kept, echoed or handed on: people put card numbers anywhere, and there they would stay. */
export const CardFree = v.check((text: string) => !holdsCardNumber(text), 'must not hold a card number');

/** Text as of `Text` that is kept as it was sent. */
export const KeptText = (longest: number) => v.pipe(Text(longest), CardFree);

/** The same, and may be absent or empty. */
export const OptionalKeptText = (longest: number) => v.optional(v.pipe(v.unwrap(OptionalText(longest)), CardFree));
