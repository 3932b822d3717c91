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
import { AnyText } from '#core/kernel/schema/text.ts';
import { CountryCode, RcodeField } from '#payments/payments/request-schemas.ts';
import { currencyOfNumber } from './options/options.ts';

/** Exact letters only: nothing that an administrator sets is guessed. */
export const PricingCurrency = v.pipe(AnyText, v.check(isCurrency, 'must be a currency code of ISO 4217, such as USD'));
const rate = {
  from: v.pipe(v.string(), v.description('The currency converted from.')),
  to: v.pipe(v.string(), v.description('The currency converted to.')),
  rate: v.pipe(v.string(), v.description('Units of `to` for one of `from`.')),
  source: v.pipe(v.string(), v.description('Where the rate comes from.')),
  set_at: v.pipe(v.string(), v.description('From when it applies.')),
  set_by: SetByReply,
};
export const RateDto = v.object(rate);
export const PricedSidPath = v.object({ sid: SiteIdField });
const FeeDto = v.object({
  paymethod: v.pipe(v.picklist(schemes), v.description('To be sent as `card_type`.')),
  percentage: v.pipe(v.string(), v.description('Per cent of the amount.')),
  fixed: v.pipe(v.string(), v.description('A fixed part, in the site’s currency.')),
  currency: v.nullable(CurrencyReply),
});
export const FeesDto = v.object({
  sid: SiteIdReply,
  fees: v.pipe(v.array(FeeDto), v.description('Fees by payment method.')),
  set_at: v.pipe(v.nullable(v.string()), v.description('Null: none were ever set.')),
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
  paymethod: v.pipe(v.picklist(schemes), v.description('The value of `card_type` of a transaction.')),
  display_title: v.pipe(v.string(), v.description('What to show a payer.')),
  description: v.pipe(v.string(), v.description('A description for people.')),
  currency_code: v.pipe(v.string(), v.description('Three digits of ISO 4217.')),
  currency_symbol: v.pipe(v.string(), v.description('The currency’s sign.')),
  image: v.pipe(v.string(), v.description('A `data:` URL, so nothing is loaded.')),
  amount_shipping: v.pipe(v.number(), v.description('Shipping, in the same currency.')),
  amount_coupon: v.pipe(v.number(), v.description('What a coupon takes off, in the same currency.')),
  amount_tax: v.pipe(v.number(), v.description('Tax, in the same currency.')),
  currency: v.pipe(v.string(), v.description('Three letters of ISO 4217.')),
};
export const PaymentOptions = v.array(
  v.object({ ...option, payout: v.pipe(v.boolean(), v.description('Whether `payout` can be called for it.')) }),
);
/** The site, under the name that path variables at this place all have. */
export const PricedSitePath = v.object({ id: IdentifierField });
