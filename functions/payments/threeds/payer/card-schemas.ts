import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { AnyText, allowsCardNumbers } from '#core/kernel/schema/text.ts';
import { CardName } from '#payments/payments/field-schemas.ts';

const Digits = (words: string) => v.pipe(AnyText, v.trim(), v.maxLength(10, words));

/** The card, which is stored nowhere. Problems with it are reported only once it is known that the page may call. */
export const clientCardFields = {
  card_no: v.pipe(
    v.string('must be text'),
    v.minLength(1, 'is required'),
    v.maxLength(60, 'must be a card number'),
    allowsCardNumbers('the card, which is never stored'),
    v.description('The whole card number.'),
  ),
  card_exp_month: describeField(Digits('must be 01 to 12'), 'The month in which the card expires, two digits.'),
  card_exp_year: describeField(Digits('must be four digits'), 'The year in which the card expires, four digits.'),
  card_name: CardName,
} as const;
