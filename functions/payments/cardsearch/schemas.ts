import * as v from 'valibot';
import { passesLuhn } from '#core/kernel/card/luhn.ts';
import { schemes } from '#core/kernel/card/schemes.ts';
import { CardReply, CreatedAtReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Id, WholeNumber } from '#core/kernel/schema/schema.ts';
import { AnyText, allowsCardNumbers } from '#core/kernel/schema/text.ts';
import { Maybe } from '#payments/payments/request-schemas.ts';
import { resultFields } from '#payments/transactions/schemas.ts';
import { type CardWanted, monthSpan } from './criteria.ts';

/** Digits, which JSON may send as a number and forms send as text. */
const Digits = (words: string) =>
  v.pipe(
    v.union([v.string(words), v.number(words)], words),
    v.transform((value) => String(value).trim()),
  );

const cardWords = 'must be a card number of 12 to 19 digits, or its mask such as 424242******4242';
/** Six digits, what stands for the digits between, four digits; either end may be left out. */
const mask = /^(\d{6})?[*xX•.]{1,15}(\d{4})?$/;

/** The message never repeats the value: it may be a card number. */
const CardNumber = v.pipe(
  Digits(cardWords),
  v.transform((text) => text.replace(/(?<=\S)[ -](?=\S)/g, '')),
  v.check((text) => /^\d{12,19}$/.test(text) || /\d/.test(mask.exec(text)?.[0] ?? ''), cardWords),
  v.check((text) => mask.test(text) || passesLuhn(text), 'has a wrong check digit'),
  v.transform((text): CardWanted => {
    const masked = mask.exec(text);
    if (masked) return { number: null, first6: masked[1] ?? null, last4: masked[2] ?? null };
    return { number: text, first6: text.slice(0, 6), last4: text.slice(-4) };
  }),
);

/** A number of this many digits; JSON may have dropped its leading zeros. */
const PartOfCard = (length: number) =>
  v.pipe(
    Digits(`must be ${length} digits`),
    v.check((text) => /^\d+$/.test(text) && text.length <= length, `must be ${length} digits`),
    v.transform((text) => text.padStart(length, '0')),
  );

const monthWords = 'must be a month of two digits and a year of four, such as 052026';

const MonthYear = v.pipe(
  Digits(monthWords),
  v.transform((text) => text.padStart('MMYYYY'.length, '0')),
  v.check((text) => /^(?:0[1-9]|1[0-2])20\d\d$/.test(text), monthWords),
  v.transform(monthSpan),
);

/** A field left out restricts nothing. */
export const CardSearch = v.object({
  card_no: v.pipe(
    Maybe(CardNumber),
    allowsCardNumbers('a card that is looked for by its keyed digest'),
    v.description('The whole card number.'),
  ),
  card_firstsix: describeField(Maybe(PartOfCard(6)), 'The first six digits of the card number.'),
  card_lastfour: describeField(Maybe(PartOfCard(4)), 'The last four digits of the card number.'),
  month_year: describeField(Maybe(MonthYear), 'The month to search, MMYYYY; the last three months if absent.'),
  mid: describeField(Maybe(Id), 'The merchant.'),
});
export type CardSearch = v.InferOutput<typeof CardSearch>;

/** The same, a page at a time. */
export const CardSearchPage = v.object({
  ...CardSearch.entries,
  size: describeField(v.optional(WholeNumber(1, 500), 500), 'How many to return at most.'),
  cursor: Maybe(
    v.pipe(
      AnyText,
      v.maxLength(200, 'is not a valid cursor'),
      v.description('The header `x-next-cursor` of the previous page.'),
    ),
  ),
});

/** A search shows transactions, but does not continue them. */
const { next_action: _, ...foundFields } = resultFields;

/** A transaction result with the references of the merchant, and its card masked. */
export const FoundTransaction = v.object({
  ...foundFields,
  created_at: CreatedAtReply,
  card: v.nullable(CardReply),
  card_type: describeField(
    v.nullable(v.picklist(schemes)),
    'How it is paid: a `paymethod` of the payment options, such as VISA.',
  ),
});
export type FoundTransaction = v.InferOutput<typeof FoundTransaction>;

export const FoundTransactions = v.array(FoundTransaction);
