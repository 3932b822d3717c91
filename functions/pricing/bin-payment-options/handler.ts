import { Refusal } from '../../core/errors.ts';
import { endpoint } from '../../core/http.ts';
import { binOption, orderOf } from '../bin-option.ts';
import { ownCurrency } from '../payment-site.ts';
import { admitOrder, readSite } from '../payment-site-store.ts';
import { binPaymentOptions } from './operation.ts';

export const handler = endpoint(binPaymentOptions, async ({ params: { id: sid }, body }) => {
  const found = await readSite(sid);
  const cart = orderOf(body, found && ownCurrency(found.site));
  if (Array.isArray(cart)) throw new Refusal('request_invalid', cart.join('; '));
  const { hash, timestamp } = body;
  const total = { minor: cart.total, currency: cart.currency };
  const { routes, fees } = await admitOrder(sid, found, { hash, timestamp, total });
  const option = binOption(body.BIN, cart, { routes, fees, addFee: body.addFee ?? false });
  if (!option) throw new Refusal('card_not_taken', 'BIN: no processor of the site takes such a card for this amount.');
  return [option];
});
