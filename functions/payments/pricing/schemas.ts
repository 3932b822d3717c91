import * as v from 'valibot';
import { schemes } from '#core/kernel/card/schemes.ts';
import { exponentOf } from '#core/kernel/money/money.ts';
import { Id } from '#core/kernel/schema/schema.ts';
import { CountryCode, RcodeField } from '#payments/payments/request-schemas.ts';
import { currencyOfNumber } from './options/options.ts';

/** Exact letters only: nothing that an administrator sets is guessed. */
export const Currency = v.pipe(
  v.string('must be text'),
  v.check((code) => exponentOf(code) !== undefined, 'must be a currency code of ISO 4217, such as USD'),
);
const rate = {
  from: v.string(),
  to: v.string(),
  rate: v.pipe(v.string(), v.description('Units of `to` for one of `from`.')),
  source: v.string(),
  set_at: v.string(),
  set_by: v.string(),
};
export const RateDto = v.object(rate);
export const SidPath = v.object({ sid: Id });
const FeeDto = v.object({
  paymethod: v.picklist(schemes),
  percentage: v.string(),
  fixed: v.string(),
  currency: v.nullable(v.string()),
});
export const FeesDto = v.object({
  sid: v.number(),
  fees: v.array(FeeDto),
  set_at: v.pipe(v.nullable(v.string()), v.description('Null: none were ever set.')),
  set_by: v.nullable(v.string()),
});

const numberWords = 'must be a currency by its three digits of ISO 4217, such as 840';
/** Returns the three-letter code. JSON may write the digits as a number, which has no leading zeros. */
export const CurrencyNumber = v.pipe(
  v.union([v.string(), v.number()], numberWords),
  v.transform((value) => (typeof value === 'number' ? String(value).padStart(3, '0') : value.trim())),
  v.check((digits) => currencyOfNumber(digits) !== undefined, numberWords),
  v.transform((digits) => currencyOfNumber(digits) ?? ''),
);
export const siteFields = { sid: Id, rcode: RcodeField, country: CountryCode };
export const option = {
  paymethod: v.pipe(v.picklist(schemes), v.description('The value of `card_type` of a transaction.')),
  display_title: v.string(),
  description: v.string(),
  currency_code: v.pipe(v.string(), v.description('Three digits of ISO 4217.')),
  currency_symbol: v.string(),
  image: v.pipe(v.string(), v.description('A `data:` URL, so nothing is loaded.')),
  amount_shipping: v.number(),
  amount_coupon: v.number(),
  amount_tax: v.number(),
  currency: v.pipe(v.string(), v.description('Three letters of ISO 4217.')),
};
export const PaymentOptions = v.array(
  v.object({ ...option, payout: v.pipe(v.boolean(), v.description('Whether `payout` can be called for it.')) }),
);
/** The site, under the name that path variables at this place all have. */
export const SitePath = v.object({ id: Id });
