import { endpoint } from '../../core/http.ts';
import { currenciesOf, optionsIn } from '../options.ts';
import { ownCurrency } from '../payment-site.ts';
import { siteByRcode } from '../payment-site-store.ts';
import { paymentOptions } from './operation.ts';

export const handler = endpoint(paymentOptions, async ({ params: { id }, body: { rcode, currency } }) => {
  const { site, routes } = await siteByRcode(id, rcode);
  return optionsIn(routes, currency === undefined ? currenciesOf(routes, ownCurrency(site)) : [currency]);
});
