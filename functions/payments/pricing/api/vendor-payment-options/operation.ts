import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { CountryCode, RcodeField } from '#payments/payments/request-schemas.ts';
import { pricedBySite, siteErrors } from '../../declarations.ts';
import { PaymentOptions, PricedSitePath } from '../../schemas.ts';

export const VendorOptionsBody = v.object({ rcode: RcodeField, country: CountryCode });

export const vendorPaymentOptionsOperation = defineOperation('pricing/vendor-payment-options', {
  ...pricedBySite,
  summary: "List a site's payment options for a country",
  description: 'The same list; no scheme is limited to a country, so the country has to exist and changes nothing.',
  path: '/api/v1/index.php/{id}/getvendorpaymentoptions',
  params: PricedSitePath,
  body: VendorOptionsBody,
  reply: PaymentOptions,
  errors: siteErrors,
  grants: { table: ['BatchGetItem'] },
});
