import * as v from 'valibot';
import { maskCardsIn } from '#core/kernel/card/mask-values.ts';
import { schemes } from '#core/kernel/card/schemes.ts';
import { isCountry } from '#core/kernel/countries.ts';
import { decimalWords, exponentOf, isCurrency, isDecimal } from '#core/kernel/money/money.ts';
import { keepNumberText } from '#core/kernel/money/number-text.ts';
import { readCurrencyCode } from '#core/kernel/money/numeric-codes.ts';
import { asList } from '#core/kernel/schema/as-list.ts';
import { PayerEmail } from '#core/kernel/schema/contact-email.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import type { AmountPlace } from '#core/kernel/schema/naming.ts';
import { NoList } from '#core/kernel/schema/schema.ts';
import {
  AnyText,
  AsText,
  allowsCardNumbers,
  CardFreeAmount,
  cardFreeExcept,
  PastedNumber,
  PastedText,
  Text,
  TextOrNumber,
} from '#core/kernel/schema/text.ts';
import { CardName, Maybe } from './field-schemas.ts';
import { MaybeHash } from './order/hash-schema.ts';
import { timestampWords } from './order/hashes.ts';

/** Schemas that the calls of a payment page share: forms send missing values as empty fields, and everything as text. */

export { Maybe, MaybeHash };
export const HashTimestamp = describeField(
  Maybe(v.pipe(TextOrNumber, v.regex(/^\d{10}(?:\d{3,4})?$/, timestampWords))),
  'Seconds or milliseconds since 1970, the same as in the hash; good for 15 minutes.',
);
export const RcodeField = v.pipe(
  AnyText,
  v.minLength(1, 'is required'),
  v.maxLength(200, 'is not a valid rcode'),
  v.description('The site’s secret. Never in a browser.'),
);

/** Three letters, or the digits of ISO 4217. */
export const CurrencyCode = v.pipe(
  TextOrNumber,
  v.transform((text) => readCurrencyCode(text) ?? text),
  v.check(isCurrency, 'must be a currency code of ISO 4217, such as USD'),
);

/** The same of something that was paid, perhaps before its currency ended. */
export const PaidCurrencyCode = v.pipe(
  TextOrNumber,
  v.transform((text) => readCurrencyCode(text) ?? text),
  v.check((code) => exponentOf(code) !== undefined, 'must be a currency code of ISO 4217, such as USD'),
);

export const CountryCode = v.pipe(
  AnyText,
  v.trim(),
  v.toUpperCase(),
  v.check(isCountry, 'must be a country code of ISO 3166, two letters'),
  v.description('ISO 3166-1, two letters.'),
);

/** An amount as it was written; its currency says later how many decimals it may have. */
export const AmountText = v.pipe(
  v.union([v.string(), v.number()], 'must be a decimal such as 10.50'),
  v.transform(String),
  v.check(isDecimal, decimalWords),
  CardFreeAmount,
);

/** Articles have numbers of 13 digits (GTIN-13), of which some look like card numbers as they were issued long ago. */
const gtin = /^\d{13}$/;
const gtinReason = 'article numbers have 13 digits (GTIN-13)';

const maxItems = 200;
const tooManyItems = `must have at most ${maxItems} items`;

/** One value or a list of them; `name[]` of a form arrives as a list under `name`. */
const AnyList = <S extends v.GenericSchema>(item: S) =>
  v.pipe(
    v.unknown(),
    v.transform((value) => (typeof value === 'string' || typeof value === 'number' ? [value] : asList(value))),
    // Checked before the entries, as checking very many takes long.
    v.check((value) => !Array.isArray(value) || value.length <= maxItems, tooManyItems),
    v.pipe(v.array(item, 'must be a list'), v.maxLength(maxItems, tooManyItems)),
  );

export const ArticleNumber = v.pipe(PastedNumber(100, cardFreeExcept(gtin)), allowsCardNumbers(gtinReason));

/** Shops send items without a name, such as a fee: processors need none. */
const namelessItem = 'Item';
const ItemName = v.pipe(
  v.unknown(),
  v.transform((value) => (typeof value === 'string' && value.trim() === '' ? namelessItem : value)),
  PastedNumber(200),
);

/** The cart: parallel lists, one place per item. Their total: see payments/payments/order/cart.ts. */
export const cartFields = {
  item_quantity: describeField(
    Maybe(AnyList(v.pipe(TextOrNumber, v.maxLength(40, 'must have at most 40 characters')))),
    'How many of each item, in the order of the items; 1 where absent.',
  ),
  item_name: v.pipe(
    AnyList(ItemName),
    v.minLength(1, 'must name at least one item'),
    v.description('The name of each item.'),
  ),
  item_no: describeField(Maybe(AnyList(ArticleNumber)), 'Your own number of each item.'),
  item_description: describeField(
    Maybe(
      AnyList(
        v.union(
          [
            v.pipe(
              v.literal(''),
              v.transform(() => ''),
            ),
            PastedNumber(1000),
          ],
          'must be text',
        ),
      ),
    ),
    'A description of each item.',
  ),
  item_amount_unit: v.pipe(
    AnyList(AmountText),
    v.minLength(1, 'must price at least one item'),
    v.description('The price of one of each item; sent in the currency of the call.'),
  ),
  amount_shipping: describeField(Maybe(AmountText), 'Shipping, in the same currency.'),
  amount_coupon: describeField(Maybe(AmountText), 'What a coupon takes off, in the same currency.'),
  amount_tax: describeField(Maybe(AmountText), 'Tax, in the same currency.'),
} as const;

/** Where a cart's amounts are, for `namingAmounts`. */
export const cartAmounts = (currency: string): AmountPlace[] =>
  ['item_amount_unit.*', 'amount_shipping', 'amount_coupon', 'amount_tax'].map((amount) => [amount, currency]);

const Email = describeField(PayerEmail, 'An e-mail address.');

/** Its spelling depends on the country: see payments/payments/states.ts. */
const wordsOfStates = 'Two letters for US and CA, two or three for AU; free text for any other country.';

/** Mobile numbers of Germany have 13 digits with their country code, which begins with a 4. */
export const phoneDigits = /^\D*(?:\d\D*){13}$/;
export const phoneReason = 'telephone numbers may have 13 digits';

const addressFields = {
  phone: describeField(Maybe(PastedText.allowing(phoneReason, 40, phoneDigits)), 'A telephone number.'),
  address: describeField(Maybe(PastedText(300)), 'Street and number.'),
  suburb_city: describeField(Maybe(PastedText(100)), 'Suburb or city.'),
  state: describeField(Maybe(v.pipe(PastedText(100), v.toUpperCase())), wordsOfStates),
  country: describeField(Maybe(CountryCode), 'ISO 3166-1, two letters.'),
  postcode: describeField(Maybe(PastedNumber(20)), 'The postal code.'),
} as const;

/** The payer. */
export const payerFields = {
  firstname: describeField(PastedText(100), 'The customer’s first name.'),
  lastname: describeField(PastedText(100), 'The customer’s last name.'),
  email: Email,
  ...addressFields,
} as const;

/** The payee: only the e-mail address is required. */
export const payeeFields = {
  firstname: describeField(Maybe(PastedText(100)), 'The customer’s first name.'),
  lastname: describeField(Maybe(PastedText(100)), 'The customer’s last name.'),
  email: Email,
  ...addressFields,
} as const;

export const shippingFields = {
  shipping_address: describeField(Maybe(PastedText(300)), 'Street and number to ship to.'),
  shipping_suburb_city: describeField(Maybe(PastedText(100)), 'Suburb or city to ship to.'),
  shipping_state: describeField(Maybe(PastedText(100)), wordsOfStates),
  shipping_country: describeField(Maybe(CountryCode), 'Country to ship to (ISO 3166-1, two letters).'),
  shipping_postcode: describeField(Maybe(PastedNumber(20)), 'Postal code to ship to.'),
} as const;

export const CardType = v.pipe(
  AnyText,
  v.trim(),
  v.toUpperCase(),
  v.picklist(schemes, `must be one of ${schemes.join(', ')}`),
);

/**
 * A security code sent as a JSON number stays one: it has lost its leading zeros, and how many is only known from the card's
 * scheme. Text has lost none.
 */
const SecurityCode = describeField(
  v.union(
    [
      v.pipe(v.string(), v.trim(), v.maxLength(10, 'must have 3 or 4 digits')),
      v.pipe(v.number(), v.maxValue(9999, 'must have 3 or 4 digits')),
    ],
    'must be text or a number',
  ),
  'The security code on the card; never kept. Text with all its digits. A JSON number gets back the zeros in front that it cannot have.',
);

/** The card, as text: a JSON number loses the last of 19 digits. core/kernel/card/card.ts checks it. */
export const cardFields = {
  card_no: describeField(
    Maybe(
      v.pipe(AsText, v.maxLength(60, 'must be a card number'), allowsCardNumbers('the card, which is never stored')),
    ),
    'The whole card number.',
  ),
  card_ccv: Maybe(SecurityCode),
  card_exp_month: describeField(
    Maybe(v.pipe(TextOrNumber, v.maxLength(10, 'must be 01 to 12'))),
    'The month in which the card expires, two digits.',
  ),
  card_exp_year: describeField(
    Maybe(v.pipe(TextOrNumber, v.maxLength(10, 'must be four digits'))),
    'The year in which the card expires, four digits.',
  ),
  card_name: CardName,
} as const;

const Reference = v.pipe(TextOrNumber, Text(100));

/** The fields that are echoed to the merchant. */
export const referenceFields = {
  tid: describeField(
    Maybe(Reference),
    'Your own reference of the order. The same one with the same body is answered as the first and charges nothing.',
  ),
  reference: describeField(Maybe(Reference), 'Your own reference, returned as it is.'),
  ref1: describeField(Maybe(Reference), 'A reference of your own, returned as it is.'),
  ref2: describeField(Maybe(Reference), 'A reference of your own, returned as it is.'),
  ref3: describeField(Maybe(Reference), 'A reference of your own, returned as it is.'),
  ref4: describeField(Maybe(Reference), 'A reference of your own, returned as it is.'),
} as const;

const parsedObject = (text: string): unknown => {
  try {
    return JSON.parse(text, keepNumberText);
  } catch {
    return undefined;
  }
};

/** A JSON object written as text, as forms have to; JSON bodies may also hold the object itself. */
export const JsonObject = v.pipe(
  NoList(v.union([v.string(), v.record(v.string(), v.unknown())], 'must be a JSON object')),
  v.check((value) => JSON.stringify(value).length <= 16_384, 'must have at most 16384 characters'),
  v.transform((value) => (typeof value === 'string' ? parsedObject(value) : value)),
  v.custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be a JSON object',
  ),
  v.transform((value) => maskCardsIn(value, { numbers: true })),
);
