import * as v from 'valibot';
import { asList } from '#core/kernel/schema/as-list.ts';
import { NameReply, StatusAcceptedField } from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { type AmountPlace, amountProblems, naming } from '#core/kernel/schema/naming.ts';
import { Flag } from '#core/kernel/schema/schema.ts';
import { AsText, AtMost, CardFree, CardFreeValue, Text } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { maxItems } from '#payments/payments/order/cart.ts';
import { AmountText, Maybe } from '#payments/payments/request-schemas.ts';
import { pricedBySite, siteErrors } from '../../declarations.ts';
import { CurrencyNumber, option, siteFields } from '../../schemas.ts';

const postedWords = 'must be a decimal such as 0.92';

const PostedRate = v.pipe(
  v.union([v.string(), v.number()], postedWords),
  v.transform(String),
  v.regex(/^(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/, postedWords),
);

const Words = (longest: number) => v.pipe(AsText, Text(longest));

const CartEntry = v.object(
  {
    item_desc: describeField(Words(1000), 'A description of the item.'),
    item_no: describeField(Maybe(Words(100)), 'Your own number of the item.'),
    amount_unit: describeField(AmountText, 'The price of one, in the same currency.'),
    quantity: v.pipe(
      v.union([v.string(), v.number()], 'must be a whole number'),
      v.transform(String),
      v.maxLength(40, 'must have at most 40 characters'),
      CardFree,
      v.description('How many.'),
    ),
    name: describeField(Maybe(Words(200)), 'The name of the item.'),
  },
  'must be an object with item_desc, item_no, amount_unit, quantity and name',
);

const CartEntries = v.pipe(
  v.unknown(),
  v.transform(asList),
  v.pipe(
    v.array(CartEntry, 'must be a list of items'),
    v.minLength(1, 'must have at least one item'),
    v.maxLength(maxItems, `must have at most ${maxItems} items`),
  ),
);

/** The interface has this field without saying what is in it; it is accepted and ignored. */
const Ignored = v.pipe(
  v.unknown(),
  v.transform(asList),
  v.array(
    v.pipe(
      v.union([v.string(), v.number(), v.boolean(), v.null(), v.record(v.string(), v.unknown())]),
      CardFreeValue(),
      AtMost(20_000),
    ),
    'must be a list',
  ),
);

const quoted: readonly AmountPlace[] = [
  'amount_purchase',
  'amount_shipping',
  'amount_coupon',
  'amount_tax',
  'cart.*.amount_unit',
].map((amount) => [amount, 'currency_code']);

/** The three-letter code of the currency whose digits were sent. */
const toLetters = (digits: unknown): string | undefined => {
  const read = v.safeParse(CurrencyNumber, digits);
  return read.success ? read.output : undefined;
};

export const FeeQuoteBody = naming(
  v.object({
    ...siteFields,
    currency_code: describeField(CurrencyNumber, 'The cart’s currency (ISO 4217).'),
    addfee: describeField(Maybe(Flag), 'Whether processing fees are added on top.'),
    amount_purchase: describeField(AmountText, 'The total of the cart.'),
    amount_shipping: describeField(AmountText, 'Shipping, in the same currency.'),
    amount_coupon: describeField(AmountText, 'What a coupon takes off, in the same currency.'),
    amount_tax: describeField(AmountText, 'Tax, in the same currency.'),
    fxrate_posted: describeField(
      PostedRate,
      'The rate from the cart’s currency to that of the charge; looked up if absent.',
    ),
    summary: describeField(Maybe(Ignored), 'Lines of the cart’s sum.'),
    items: describeField(Maybe(Ignored), 'What was bought.'),
    cart: describeField(CartEntries, 'What is bought.'),
  }),
  (input) => amountProblems(input, quoted, toLetters),
);

const amountFee = count('The processing fee.');

export const FeeQuote = v.object({
  status: StatusAcceptedField,
  paymentmethods: describeField(
    v.array(
      v.object({
        ...option,
        fxrate: text('From the cart’s currency to that of the method, margin included.'),
        amount_purchase: count('The cart in the currency of the method, without the fee.'),
        amount_fee: amountFee,
        amount_total: count('What is charged.'),
        cart: describeField(
          v.array(
            v.object({
              item_desc: text('A description of the item.'),
              item_no: nullableText('Your own number of the item.'),
              name: v.nullable(NameReply),
              quantity: count('How many.'),
              amount_unit: count('Rounded by itself; `amount` is what counts.'),
              amount: count('Of all units. With shipping and tax, less the coupon, these add up.'),
              amount_fee: count('The part of the fee; these add up to `amount_fee`.'),
            }),
          ),
          'What is bought.',
        ),
      }),
    ),
    'Payment methods with their fees.',
  ),
});

export const feeQuoteOperation = defineOperation('pricing/fee-quote', {
  ...pricedBySite,
  summary: 'Price a cart in every payment method',
  description:
    "The cart converted to the site's currency at the service's own rate, with the fee where `addfee` asks for it. " +
    '`amount_purchase` is the total: items, shipping and tax, less the coupon. `fxrate_posted` must be within 1 percent of ' +
    'that rate. A form sends the cart as `cart[0][item_desc]`, `cart[0][amount_unit]`, …, and lists as `summary[]`. An item ' +
    'goes into a transaction with quantity 1 and `amount` plus `amount_fee`.',
  path: '/soap/feeapi.php',
  body: FeeQuoteBody,
  reply: FeeQuote,
  errors: [...siteErrors, 'rate_missing'],
  grants: { table: ['BatchGetItem'] },
});
