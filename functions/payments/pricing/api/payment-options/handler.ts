import { endpoint } from '#core/platform/http/http.ts';
import { listOffered, optionsIn } from '../../options/options.ts';
import { ownCurrency } from '../../options/payment-site.ts';
import { siteByRcode } from '../../options/payment-site-store.ts';
import { paymentOptionsOperation } from './operation.ts';

export const handler = endpoint(paymentOptionsOperation, async ({ params: { id }, body: { rcode, currency } }) => {
  const { site, routes } = await siteByRcode(id, rcode);
  return optionsIn(routes, currency === undefined ? listOffered(routes, ownCurrency(site)) : [currency]);
});
