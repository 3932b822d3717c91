import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { namingAmounts } from '#core/kernel/schema/naming.ts';
import { Flag } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import {
  CurrencyCode,
  cartAmounts,
  cartFields,
  HashTimestamp,
  Maybe,
  MaybeHash,
} from '#payments/payments/request-schemas.ts';
import { pricedBySite } from '../../declarations.ts';
import { option, PricedSitePath } from '../../schemas.ts';

export const BinOptionsBody = namingAmounts(
  v.object({
    hash: MaybeHash,
    timestamp: HashTimestamp,
    BIN: v.pipe(
      v.union([v.string(), v.number()], 'must be the first 6 digits of the card'),
      v.transform(String),
      v.regex(/^\d{6}$/, 'must be the first 6 digits of the card'),
      v.description('The first six digits of the card number.'),
    ),
    addFee: describeField(Maybe(Flag), 'Whether processing fees are added on top.'),
    item_quantity: cartFields.item_quantity,
    item_name: cartFields.item_name,
    item_description: cartFields.item_description,
    item_amount_unit: cartFields.item_amount_unit,
    amount_shipping: cartFields.amount_shipping,
    amount_coupon: cartFields.amount_coupon,
    amount_tax: cartFields.amount_tax,
    currency: describeField(Maybe(CurrencyCode), 'ISO 4217, three letters.'),
  }),
  ...cartAmounts('currency'),
);

export const BinOptions = v.array(
  v.object({
    ...option,
    amount_fee: describeField(v.optional(v.number()), 'Where `addFee` was sent.'),
    amount_total: describeField(
      v.optional(v.number()),
      'With the fee; where `addFee` was sent, or the currency is that of the card.',
    ),
    fxrate: describeField(
      v.optional(v.string()),
      'Where the currency is that of the card: the rate to it, margin included.',
    ),
  }),
);

export const binPaymentOptionsOperation = defineOperation('pricing/bin-payment-options', {
  ...pricedBySite,
  signable: true,
  summary: 'Find the payment option of a card by its first six digits',
  description:
    "For an amount in one currency, the site's own if none is named. With `bin_currency` in its settings, and none named, the option is in " +
    "the currency of the card's country, where that is known, taken and has an exchange rate; the hash signs the site's own. The hash is the md5 of sid, timestamp, total with all " +
    'decimals, currency and rcode.',
  path: '/api/v1/index.php/{id}/getpaymentoptionsfrombin',
  params: PricedSitePath,
  body: BinOptionsBody,
  reply: BinOptions,
  errors: ['hash_wrong', 'site_not_for_payments', 'card_not_taken'],
  grants: { table: ['BatchGetItem'], secrets: ['encryption'] },
});
