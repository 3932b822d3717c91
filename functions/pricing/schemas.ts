import * as v from 'valibot';
import { exponentOf } from '../core/money.ts';
import { Flag, Id, pageFields, Text } from '../core/schema.ts';
import { schemes } from '../core/schemes.ts';
import { mostItems } from '../payments/cart.ts';
import {
  AmountText,
  CardType,
  CountryCode,
  CurrencyCode,
  cartFields,
  Hash,
  HashTimestamp,
  Maybe,
  RcodeField,
} from '../payments/request-schemas.ts';
import { currencyOfNumber } from './options.ts';

/** Exact letters: what an administrator sets is not guessed at. */
const Currency = v.pipe(
  v.string('must be text'),
  v.check((code) => exponentOf(code) !== undefined, 'must be a currency code of ISO 4217, such as USD'),
);
const rateWords = 'must be a decimal above 0 with at most 8 decimals, as text';
const RateText = v.pipe(
  v.string(rateWords),
  v.regex(/^(?:0|[1-9]\d{0,11})(?:\.\d{1,8})?$/, rateWords),
  v.check((text) => /[1-9]/.test(text), rateWords),
);

export const NewRate = v.pipe(
  v.object({ from: Currency, to: Currency, rate: RateText, source: Text(200) }),
  v.forward(
    v.check(({ from, to }) => from !== to, 'must be another currency than from'),
    ['to'],
  ),
);
const rate = {
  from: v.string(),
  to: v.string(),
  rate: v.pipe(v.string(), v.description('Units of `to` for one of `from`.')),
  source: v.string(),
  set_at: v.string(),
  set_by: v.string(),
};
export const RateShown = v.object(rate);
export const RateListBody = v.pipe(
  v.object({
    from: v.optional(Currency),
    to: v.optional(Currency),
    size: pageFields.size,
    cursor: pageFields.cursor,
  }),
  v.forward(
    v.check(({ from, to }) => (from === undefined) === (to === undefined), 'give from and to, or neither'),
    ['from'],
  ),
);
export const RateList = v.object({ list: v.array(RateShown), next_cursor: v.nullable(v.string()) });

const percentageWords = 'must be a percentage from 0 to 100 with at most 4 decimals';
const Percentage = v.pipe(
  v.union([v.string(), v.number()], percentageWords),
  v.transform(String),
  v.regex(/^(?:100(?:\.0{1,4})?|\d{1,2}(?:\.\d{1,4})?)$/, percentageWords),
);
export const SidPath = v.object({ sid: Id });
export const NewFees = v.object({
  fees: v.pipe(
    v.array(
      v.object(
        {
          paymethod: CardType,
          percentage: v.optional(Percentage, '0'),
          fixed: v.optional(AmountText, '0'),
          currency: v.pipe(
            v.optional(v.nullable(Currency), null),
            v.description(
              'Payments in which it is for; null: in any that has no fee of its own, without a fixed part.',
            ),
          ),
        },
        'must be an object with paymethod, percentage, fixed and currency',
      ),
      'must be a list',
    ),
    v.maxLength(200, 'must have at most 200 entries'),
  ),
});
const FeeShown = v.object({
  paymethod: v.picklist(schemes),
  percentage: v.string(),
  fixed: v.string(),
  currency: v.nullable(v.string()),
});
export const FeesShown = v.object({
  sid: v.number(),
  fees: v.array(FeeShown),
  set_at: v.pipe(v.nullable(v.string()), v.description('Null: none were ever set.')),
  set_by: v.nullable(v.string()),
});

const numberWords = 'must be a currency by its three digits of ISO 4217, such as 840';
/** Answers the three letters. JSON may write the digits as a number, which has no zeros before it. */
const CurrencyNumber = v.pipe(
  v.union([v.string(), v.number()], numberWords),
  v.transform((value) => (typeof value === 'number' ? String(value).padStart(3, '0') : value.trim())),
  v.check((digits) => currencyOfNumber(digits) !== undefined, numberWords),
  v.transform((digits) => currencyOfNumber(digits) ?? ''),
);
const postedWords = 'must be a decimal such as 0.92';
const PostedRate = v.pipe(
  v.union([v.string(), v.number()], postedWords),
  v.transform(String),
  v.regex(/^(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/, postedWords),
);
const Words = (longest: number) =>
  v.pipe(v.union([v.string(), v.number()], 'must be text'), v.transform(String), Text(longest));

/** A list; or, as some languages write one, an object whose names are 0, 1, 2, …. */
const listOf = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const names = Object.keys(value);
  return names.length > 0 && names.every((name, index) => name === String(index)) ? Object.values(value) : value;
};
const CartEntry = v.object(
  {
    item_desc: Words(1000),
    item_no: Maybe(Words(100)),
    amount_unit: AmountText,
    quantity: v.pipe(v.union([v.string(), v.number()], 'must be a whole number'), v.transform(String)),
    name: Maybe(Words(200)),
  },
  'must be an object with item_desc, item_no, amount_unit, quantity and name',
);
const CartEntries = v.pipe(
  v.unknown(),
  v.transform(listOf),
  v.pipe(
    v.array(CartEntry, 'must be a list of items'),
    v.minLength(1, 'must have at least one item'),
    v.maxLength(mostItems, `must have at most ${mostItems} items`),
  ),
);
/** The interface asks for it and does not say what is in it; it is taken and not looked at. */
const Ignored = v.pipe(
  v.unknown(),
  v.transform(listOf),
  v.array(
    v.union([v.string(), v.number(), v.boolean(), v.null(), v.record(v.string(), v.unknown())]),
    'must be a list',
  ),
);

const siteFields = { sid: Id, rcode: RcodeField, country: CountryCode };
export const FeeQuoteBody = v.object({
  ...siteFields,
  currency_code: CurrencyNumber,
  addfee: Maybe(Flag),
  amount_purchase: AmountText,
  amount_shipping: AmountText,
  amount_coupon: AmountText,
  amount_tax: AmountText,
  fxrate_posted: PostedRate,
  summary: Ignored,
  items: Ignored,
  cart: CartEntries,
});
export const RawFeesBody = v.object({ ...siteFields, currency: CurrencyNumber });

const option = {
  paymethod: v.pipe(v.picklist(schemes), v.description('The value of `card_type` of a transaction.')),
  display_title: v.string(),
  description: v.string(),
  currency_code: v.pipe(v.string(), v.description('Three digits of ISO 4217.')),
  currency_symbol: v.string(),
  image: v.pipe(v.string(), v.description('A data address: nothing is loaded from anywhere.')),
  amount_shipping: v.number(),
  amount_coupon: v.number(),
  amount_tax: v.number(),
  currency: v.pipe(v.string(), v.description('Three letters of ISO 4217.')),
};
const amountFee = v.pipe(v.number(), v.description('The processing fee.'));
export const PaymentOptions = v.array(v.object(option));
export const FeeQuote = v.object({
  status: v.literal('OK'),
  paymentmethods: v.array(
    v.object({
      ...option,
      fxrate: v.pipe(v.string(), v.description('From the cart’s currency to that of the method, margin included.')),
      amount_purchase: v.pipe(v.number(), v.description('The cart in the currency of the method, without the fee.')),
      amount_fee: amountFee,
      amount_total: v.number(),
      cart: v.array(
        v.object({
          item_desc: v.string(),
          item_no: v.nullable(v.string()),
          name: v.nullable(v.string()),
          quantity: v.number(),
          amount_unit: v.pipe(v.number(), v.description('Rounded by itself; `amount` is what counts.')),
          amount: v.pipe(
            v.number(),
            v.description('Of all units. With shipping and tax, less the coupon, these add up.'),
          ),
          amount_fee: v.pipe(v.number(), v.description('The part of the fee; these add up to `amount_fee`.')),
        }),
      ),
    }),
  ),
});
export const RawFees = v.object({
  status: v.literal('OK'),
  paymentmethods: v.array(
    v.object({
      ...option,
      fxrate: v.pipe(v.string(), v.description('What to send as `fxrate_posted`.')),
      fee: v.nullable(v.object({ percentage: v.string(), fixed: v.string() })),
      operation: v.picklist(['singletx', 'convertnpay']),
      fields: v.array(v.object({ name: v.string(), required: v.boolean() })),
    }),
  ),
});

/** The site, under the one name that a variable at this place of the path has. */
export const SitePath = v.object({ id: Id });
export const OptionsBody = v.object({
  rcode: RcodeField,
  country: Maybe(CountryCode),
  currency: Maybe(CurrencyCode),
});
export const VendorOptionsBody = v.object({ rcode: RcodeField, country: CountryCode });
export const BinOptionsBody = v.object({
  hash: Hash,
  timestamp: HashTimestamp,
  BIN: v.pipe(
    v.union([v.string(), v.number()], 'must be the first 6 digits of the card'),
    v.transform(String),
    v.regex(/^\d{6}$/, 'must be the first 6 digits of the card'),
  ),
  addFee: Maybe(Flag),
  item_quantity: cartFields.item_quantity,
  item_name: cartFields.item_name,
  item_description: cartFields.item_description,
  item_amount_unit: cartFields.item_amount_unit,
  amount_shipping: cartFields.amount_shipping,
  amount_coupon: cartFields.amount_coupon,
  amount_tax: cartFields.amount_tax,
  currency: Maybe(CurrencyCode),
});
export const BinOptions = v.array(
  v.object({
    ...option,
    amount_fee: v.pipe(v.optional(v.number()), v.description('Where `addFee` was sent.')),
    amount_total: v.pipe(v.optional(v.number()), v.description('With the fee; where `addFee` was sent.')),
  }),
);
