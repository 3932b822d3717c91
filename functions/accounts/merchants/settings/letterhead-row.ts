import * as v from 'valibot';
import { nullableTexts } from '#core/kernel/schema/shape-fields.ts';
import type { Item, Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { type Letterhead, noLetterhead } from './letterhead.ts';

const LetterheadRow = defineRow<Letterhead>({
  entity: 'LETTERHEAD',
  attribute: 'letterhead',
  schema: v.looseObject({ sid: v.number(), ...nullableTexts('checkoutTerms', 'deliveryTerms', 'logo') }),
});

/** Reads a site's letterhead back; a site without a row has nothing in it. */
export const fromLetterheadItem = (item: Item | undefined, sid: number): Letterhead =>
  LetterheadRow.find(item) ?? noLetterhead(sid);

/** The part of a transaction that replaces a letterhead; the site's profile, which changes with it, has the condition. */
export const letterheadWrite = (letterhead: Letterhead): Write => ({
  Put: { Item: { ...keys.letterhead(letterhead.sid), ...LetterheadRow.stamp, letterhead } },
});
