import * as v from 'valibot';
import { schemes } from '#core/kernel/card/schemes.ts';
import { isCurrency } from '#core/kernel/money/money.ts';
import {
  CurrencyReply,
  IdentifierField,
  SetByReply,
  SiteIdField,
  SiteIdReply,
} from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, flag, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { AnyText } from '#core/kernel/schema/text.ts';
import { CountryCode, RcodeField } from '#payments/payments/request-schemas.ts';
import { currencyOfNumber } from './options/options.ts';

/** Exact letters only: nothing that an administrator sets is guessed. */
export const PricingCurrency = v.pipe(AnyText, v.check(isCurrency, 'must be a currency code of ISO 4217, such as USD'));
const rate = {
  from: text('The currency converted from.'),
  to: text('The currency converted to.'),
  rate: text('Units of `to` for one of `from`.'),
  source: text('Where the rate comes from.'),
  set_at: text('From when it applies.'),
  set_by: SetByReply,
};
export const RateDto = v.object(rate);
export const PricedSidPath = v.object({ sid: SiteIdField });
const FeeDto = v.object({
  paymethod: describeField(v.picklist(schemes), 'To be sent as `card_type`.'),
  percentage: text('Per cent of the amount.'),
  fixed: text('A fixed part, in the site’s currency.'),
  currency: v.nullable(CurrencyReply),
});
export const FeesDto = v.object({
  sid: SiteIdReply,
  fees: describeField(v.array(FeeDto), 'Fees by payment method.'),
  set_at: nullableText('Null: none were ever set.'),
  set_by: v.nullable(SetByReply),
});

const numberWords = 'must be a currency by its three digits of ISO 4217, such as 840';
/** Returns the three-letter code. JSON may write the digits as a number, which has no leading zeros. */
export const CurrencyNumber = v.pipe(
  v.union([v.string(), v.number()], numberWords),
  v.transform((value) => (typeof value === 'number' ? String(value).padStart(3, '0') : value.trim())),
  v.check((digits) => currencyOfNumber(digits) !== undefined, numberWords),
  v.transform((digits) => currencyOfNumber(digits) ?? ''),
);
export const siteFields = { sid: SiteIdField, rcode: RcodeField, country: CountryCode };
export const option = {
  paymethod: describeField(v.picklist(schemes), 'The value of `card_type` of a transaction.'),
  display_title: text('What to show a payer.'),
  description: text('A description for people.'),
  currency_code: text('Three digits of ISO 4217.'),
  currency_symbol: text('The currency’s sign.'),
  image: text('A `data:` URL, so nothing is loaded.'),
  amount_shipping: count('Shipping, in the same currency.'),
  amount_coupon: count('What a coupon takes off, in the same currency.'),
  amount_tax: count('Tax, in the same currency.'),
  currency: text('ISO 4217, three letters.'),
};
export const PaymentOptions = v.array(v.object({ ...option, payout: flag('Whether `payout` can be called for it.') }));
/** The site, under the name that path variables at this place all have. */
export const PricedSitePath = v.object({ id: IdentifierField });
