import { endpoint } from '#core/platform/http/http.ts';
import { cvvIsOptional } from '../../options/payment-site.ts';
import { siteByRcode } from '../../options/payment-site-store.ts';
import { rawMethods } from '../../options/raw-methods.ts';
import { chargedRate } from '../../rates/conversion-store.ts';
import { rawFeesOperation } from './operation.ts';

export const handler = endpoint(rawFeesOperation, async ({ body: { sid, rcode, currency } }) => {
  const { site, routes, fees } = await siteByRcode(sid, rcode);
  const charged = await chargedRate(site, currency);
  const methods = rawMethods({ routes, fees, cartCurrency: currency, charged, cvvIsOptional: cvvIsOptional(site) });
  return { status: 'OK' as const, paymentmethods: methods };
});
