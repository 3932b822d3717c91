import { endpoint } from '../../core/http.ts';
import { currenciesOf, optionsIn } from '../options.ts';
import { ownCurrency } from '../payment-site.ts';
import { siteByRcode } from '../payment-site-store.ts';
import { vendorPaymentOptions } from './operation.ts';

export const handler = endpoint(vendorPaymentOptions, async ({ params: { id }, body: { rcode } }) => {
  const { site, routes } = await siteByRcode(id, rcode);
  return optionsIn(routes, currenciesOf(routes, ownCurrency(site)));
});
