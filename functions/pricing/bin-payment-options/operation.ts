import * as v from 'valibot';
import { defineOperation } from '../../core/operation.ts';
import { Flag } from '../../core/schema.ts';
import { CurrencyCode, cartFields, Hash, HashTimestamp, Maybe } from '../../payments/request-schemas.ts';
import { bySite } from '../declarations.ts';
import { option, SitePath } from '../schemas.ts';

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

export const binPaymentOptions = defineOperation({
  ...bySite,
  name: 'bin-payment-options',
  summary: 'Find the payment option of a card by its first six digits',
  description:
    "For an amount in one currency, the site's own if none is named. The hash is the md5 of sid, timestamp, total with all " +
    'decimals, currency and rcode.',
  path: '/api/v1/index.php/{id}/getpaymentoptionsfrombin',
  params: SitePath,
  body: BinOptionsBody,
  reply: BinOptions,
  errors: ['hash_wrong', 'site_not_for_payments', 'card_not_taken'],
  grants: { table: ['BatchGetItem'], secrets: ['encryption'] },
});
