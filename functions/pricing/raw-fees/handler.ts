import { endpoint } from '../../core/http.ts';
import { gatewayRate } from '../conversion-store.ts';
import { cvvIsOptional } from '../payment-site.ts';
import { siteByRcode } from '../payment-site-store.ts';
import { rawMethods } from '../raw-methods.ts';
import { rawFees } from './operation.ts';

export const handler = endpoint(rawFees, async ({ body: { sid, rcode, currency } }) => {
  const { site, routes, fees } = await siteByRcode(sid, rcode);
  const gateway = await gatewayRate(site, currency);
  const methods = rawMethods({ routes, fees, cartCurrency: currency, gateway, cvvIsOptional: cvvIsOptional(site) });
  return { status: 'OK' as const, paymentmethods: methods };
});
