import * as v from 'valibot';
import { type Money, parseAmount } from '#core/kernel/money/money.ts';
import { AmountText, CurrencyCode, cartFields, HashTimestamp, Maybe, MaybeHash } from '../request-schemas.ts';
import { cartTotal } from './cart.ts';

/**
 * Only the fields that an order's hash signs: enough to know who is calling before any costly field is
 * looked at.
 */
const { item_quantity, item_amount_unit, amount_shipping, amount_coupon, amount_tax } = cartFields;
const signed = { hash: MaybeHash, timestamp: HashTimestamp, currency: Maybe(CurrencyCode) };

export const SignedCart = v.object({
  ...signed,
  item_quantity,
  item_amount_unit,
  amount_shipping,
  amount_coupon,
  amount_tax,
});
export const SignedAmount = v.object({ ...signed, amount: v.optional(AmountText, '0') });

type Signed = v.InferOutput<typeof SignedCart> | v.InferOutput<typeof SignedAmount>;

const sumSigned = (sent: Signed, currency: string): Money | string[] => {
  if ('amount' in sent) {
    const money = parseAmount(sent.amount, currency);
    return typeof money === 'string' ? [`amount: ${money}`] : money;
  }
  return cartTotal(
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

/** The total that a call must have signed, in the currency that it names or else the site's (`own`); or what is wrong with the signed fields. */
export const signedTotal = (sent: Signed, own: string | undefined): Money | string[] => {
  const currency = sent.currency ?? own;
  return currency === undefined ? ['currency: is required'] : sumSigned(sent, currency);
};
