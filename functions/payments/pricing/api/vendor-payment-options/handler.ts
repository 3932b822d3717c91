import { endpoint } from '#core/platform/http/http.ts';
import { listOffered, optionsIn } from '../../options/options.ts';
import { ownCurrency } from '../../options/payment-site.ts';
import { siteByRcode } from '../../options/payment-site-store.ts';
import { vendorPaymentOptionsOperation } from './operation.ts';

export const handler = endpoint(vendorPaymentOptionsOperation, async ({ params: { id }, body: { rcode } }) => {
  const { site, routes } = await siteByRcode(id, rcode);
  return optionsIn(routes, listOffered(routes, ownCurrency(site)));
});
