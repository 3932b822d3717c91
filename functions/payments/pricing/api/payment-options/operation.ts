import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { CountryCode, CurrencyCode, Maybe, RcodeField } from '#payments/payments/request-schemas.ts';
import { pricedBySite, siteErrors } from '../../declarations.ts';
import { PaymentOptions, PricedSitePath } from '../../schemas.ts';

export const OptionsBody = v.object({
  rcode: RcodeField,
  country: describeField(Maybe(CountryCode), 'ISO 3166-1, two letters.'),
  currency: describeField(Maybe(CurrencyCode), 'ISO 4217, three letters.'),
});

export const paymentOptionsOperation = defineOperation('pricing/payment-options', {
  ...pricedBySite,
  summary: "List a site's payment options",
  description:
    "The schemes that the site's processors take, per currency: the one asked for, else the site's own and those the " +
    'processors name. Do not call it from a browser, as it sends the rcode.',
  path: '/api/v1/index.php/{id}/getpaymentoptions',
  params: PricedSitePath,
  body: OptionsBody,
  reply: PaymentOptions,
  errors: siteErrors,
  grants: { table: ['BatchGetItem'] },
});
