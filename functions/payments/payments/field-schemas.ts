import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { PastedText } from '#core/kernel/schema/text.ts';

/** Schemas of single fields of payments. Kept apart from request-schemas.ts, which brings what whole orders need into a bundle. */

/** A field that may be absent, null or empty. */
export const Maybe = <S extends v.GenericSchema>(schema: S) =>
  v.optional(
    v.pipe(
      v.unknown(),
      v.transform((value) => (value === '' || value === null ? undefined : value)),
      v.optional(schema),
    ),
  );

/** The name as printed on the card. */
export const CardName = describeField(Maybe(PastedText(100)), 'The name on the card.');
