import { schemeOf } from '#core/kernel/card/card.ts';
import { type Cart, maxMinor, readCart, type SentAmount } from '#payments/payments/order/cart.ts';
import type { Route } from '#payments/processors/routing/routing.ts';
import { type Fee, feeFor, feeOn } from '../fees/fee.ts';
import { isSchemeAccepted, type PaymentOption, paymentOption, wireNumber } from './options.ts';

export type SentCart = {
  item_quantity?: readonly SentAmount[] | undefined;
  item_name: readonly string[];
  item_amount_unit: readonly SentAmount[];
  amount_shipping?: SentAmount | undefined;
  amount_coupon?: SentAmount | undefined;
  amount_tax?: SentAmount | undefined;
  currency?: string | undefined;
};

/** The cart of a call that prices an order, in its currency or else the site's own; or what is wrong with it. */
export const pricedCartOf = (sent: SentCart, own: string | undefined): Cart | string[] => {
  const currency = sent.currency ?? own;
  if (currency === undefined) return ['currency: is required, as the site has none of its own'];
  if (sent.item_name.length !== sent.item_amount_unit.length) {
    return [`item_name: must have as many entries as item_amount_unit (${sent.item_amount_unit.length})`];
  }
  return readCart(
    {
      quantities: sent.item_quantity,
      unitAmounts: sent.item_amount_unit,
      shipping: sent.amount_shipping,
      tax: sent.amount_tax,
      coupon: sent.amount_coupon,
    },
    currency,
  );
};

/** `rate`: by which the cart was converted to its currency. */
type Offer = { routes: readonly Route[]; fees: readonly Fee[]; addFee: boolean; rate?: string };
type BinOption = PaymentOption & { amount_fee?: number; amount_total?: number; fxrate?: string };

/** Returns how a card with this BIN can pay a cart, with the fee if requested; undefined: it cannot. */
export const binOption = (bin: string, cart: Cart, { routes, fees, addFee, rate }: Offer): BinOption | undefined => {
  const scheme = schemeOf(bin);
  if (!scheme) return undefined;
  const { currency, total } = cart;
  const fee = addFee ? feeOn({ minor: total, currency }, feeFor(fees, scheme, currency)) : 0n;
  const minor = total + fee;
  if (minor + cart.coupon > maxMinor || !isSchemeAccepted(routes, { scheme, currency, minor })) return undefined;
  return {
    ...paymentOption(scheme, currency, cart),
    ...(addFee && { amount_fee: wireNumber({ minor: fee, currency }) }),
    ...((addFee || rate !== undefined) && { amount_total: wireNumber({ minor, currency }) }),
    ...(rate !== undefined && { fxrate: rate }),
  };
};
