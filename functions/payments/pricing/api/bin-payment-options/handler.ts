import { isOn } from '#accounts/merchants/settings/payment-settings.ts';
import { nowMilliseconds } from '#core/kernel/clock.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { screenOrder } from '#payments/fraud/check/screen-store.ts';
import { SignedCart } from '#payments/payments/order/signed-order.ts';
import { siteProofOf } from '#payments/payments/order/site-proof.ts';
import { binOption, pricedCartOf } from '../../options/bin-option.ts';
import { cartInCardCurrency } from '../../options/card-currency-store.ts';
import { ownCurrency } from '../../options/payment-site.ts';
import { admitOrder, readSite } from '../../options/payment-site-store.ts';
import { binPaymentOptionsOperation } from './operation.ts';

export const handler = endpoint(
  binPaymentOptionsOperation,
  async ({ params: { id: sid }, body, ...call }) => {
    const proof = siteProofOf(call, body.hash, nowMilliseconds());
    const found = await readSite(sid);
    const cart = pricedCartOf(body, found && ownCurrency(found.site));
    if (Array.isArray(cart)) throw new Refusal('request_invalid', cart.join('; '));
    const total = { minor: cart.total, currency: cart.currency };
    const { site, routes, fees } = await admitOrder(sid, found, { proof, timestamp: body.timestamp, total });
    const offer = { routes, fees, addFee: body.addFee ?? false };
    const wantsLocal = body.currency === undefined && isOn(site, 'bin_currency');
    const local = wantsLocal ? await cartInCardCurrency(body.BIN, cart, site) : undefined;
    const inLocal = local && binOption(body.BIN, local.cart, { ...offer, rate: local.rate });
    const option = inLocal ?? binOption(body.BIN, cart, offer);
    if (!option)
      throw new Refusal('card_not_taken', 'BIN: no processor of the site takes such a card for this amount.');
    return [option];
  },
  { screen: screenOrder(SignedCart) },
);
