import * as v from 'valibot';
import { endpoint } from '#core/platform/http/http.ts';
import { parse } from '#core/platform/http/parse.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { feeCart } from '../../fees/fee-cart.ts';
import { siteByRcode } from '../../options/payment-site-store.ts';
import { quote, rateProblem } from '../../quote.ts';
import { chargedRate } from '../../rates/conversion-store.ts';
import { siteFields } from '../../schemas.ts';
import { feeQuoteOperation } from './operation.ts';

const Caller = v.object({ sid: siteFields.sid, rcode: siteFields.rcode });

/** The cart of a caller who does not know the rcode is not looked at. */
const screen = async ({ sent }: { sent: Readonly<Record<string, unknown>> }): Promise<void> => {
  const { sid, rcode } = parse(Caller, sent);
  await siteByRcode(sid, rcode);
};

export const handler = endpoint(
  feeQuoteOperation,
  async ({ body }) => {
    const { site, routes, fees } = await siteByRcode(body.sid, body.rcode);
    const cart = feeCart(body);
    if (Array.isArray(cart)) throw new Refusal('request_invalid', cart.join('; '));
    const { currency: chargedCurrency, rate } = await chargedRate(site, cart.currency);
    const problem = rateProblem(body.fxrate_posted, rate);
    if (problem !== undefined) throw new Refusal('request_invalid', problem);
    const input = { cart, items: body.cart, chargedCurrency, rate, addFee: body.addfee ?? false, fees, routes };
    const methods = quote(input);
    if (typeof methods === 'string') throw new Refusal('request_invalid', methods);
    return { status: 'OK' as const, paymentmethods: methods };
  },
  { screen },
);
