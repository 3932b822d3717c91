import * as v from 'valibot';
import { asList } from '#core/kernel/schema/as-list.ts';
import { NameReply, StatusAcceptedField } from '#core/kernel/schema/field-schemas.ts';
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
    item_desc: v.pipe(Words(1000), v.description('A description of the item.')),
    item_no: v.pipe(Maybe(Words(100)), v.description('Your own number of each item.')),
    amount_unit: v.pipe(AmountText, v.description('The price of one, in the same currency.')),
    quantity: v.pipe(
      v.union([v.string(), v.number()], 'must be a whole number'),
      v.transform(String),
      v.maxLength(40, 'must have at most 40 characters'),
      CardFree,
      v.description('How many.'),
    ),
    name: v.pipe(Maybe(Words(200)), v.description('Its name, for people.')),
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
const lettersOf = (digits: unknown): string | undefined => {
  const read = v.safeParse(CurrencyNumber, digits);
  return read.success ? read.output : undefined;
};

export const FeeQuoteBody = naming(
  v.object({
    ...siteFields,
    currency_code: v.pipe(CurrencyNumber, v.description('The cart’s currency (ISO 4217).')),
    addfee: v.pipe(Maybe(Flag), v.description('Whether processing fees are added on top.')),
    amount_purchase: v.pipe(AmountText, v.description('The total of the cart.')),
    amount_shipping: v.pipe(AmountText, v.description('Shipping, in the same currency.')),
    amount_coupon: v.pipe(AmountText, v.description('What a coupon takes off, in the same currency.')),
    amount_tax: v.pipe(AmountText, v.description('Tax, in the same currency.')),
    fxrate_posted: v.pipe(
      PostedRate,
      v.description('The rate from the cart’s currency to the gateway’s; looked up if absent.'),
    ),
    summary: v.pipe(Maybe(Ignored), v.description('Lines of the cart’s sum.')),
    items: v.pipe(Maybe(Ignored), v.description('What was bought.')),
    cart: v.pipe(CartEntries, v.description('What is bought.')),
  }),
  (input) => amountProblems(input, quoted, lettersOf),
);

const amountFee = v.pipe(v.number(), v.description('The processing fee.'));

export const FeeQuote = v.object({
  status: StatusAcceptedField,
  paymentmethods: v.pipe(
    v.array(
      v.object({
        ...option,
        fxrate: v.pipe(v.string(), v.description('From the cart’s currency to that of the method, margin included.')),
        amount_purchase: v.pipe(v.number(), v.description('The cart in the currency of the method, without the fee.')),
        amount_fee: amountFee,
        amount_total: v.pipe(v.number(), v.description('What is charged.')),
        cart: v.pipe(
          v.array(
            v.object({
              item_desc: v.pipe(v.string(), v.description('A description of the item.')),
              item_no: v.pipe(v.nullable(v.string()), v.description('Your own number of each item.')),
              name: v.nullable(NameReply),
              quantity: v.pipe(v.number(), v.description('How many.')),
              amount_unit: v.pipe(v.number(), v.description('Rounded by itself; `amount` is what counts.')),
              amount: v.pipe(
                v.number(),
                v.description('Of all units. With shipping and tax, less the coupon, these add up.'),
              ),
              amount_fee: v.pipe(v.number(), v.description('The part of the fee; these add up to `amount_fee`.')),
            }),
          ),
          v.description('What is bought.'),
        ),
      }),
    ),
    v.description('Payment methods with their fees.'),
  ),
});

export const feeQuoteOperation = defineOperation({
  ...pricedBySite,
  name: 'fee-quote',
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
