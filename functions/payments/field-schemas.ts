import * as v from 'valibot';
import { holdsCardNumber } from '../core/card-numbers.ts';
import { Text } from '../core/schema.ts';

/** What single fields of payments are made of. Apart from request-schemas.ts, which brings what whole orders need. */

/** A field that may be absent, null or empty. */
export const Maybe = <S extends v.GenericSchema>(schema: S) =>
  v.optional(
    v.pipe(
      v.unknown(),
      v.transform((value) => (value === '' || value === null ? undefined : value)),
      v.optional(schema),
    ),
  );

/** Of what is kept, echoed or handed on: people put card numbers anywhere, and there they would stay. */
export const CardFree = v.check((text: string) => !holdsCardNumber(text), 'must not hold a card number');

/** As it stands on the card. */
export const CardName = Maybe(v.pipe(Text(100), CardFree));
