import { formatAmount, parseAmount } from '#core/kernel/money/money.ts';
import { type Cart, type CartNames, readCart } from '#payments/payments/order/cart.ts';

/** A cart as feeapi sends it; the currency by its letters. */
export type FeeCartInput = {
  currency_code: string;
  amount_purchase: string;
  amount_shipping: string;
  amount_coupon: string;
  amount_tax: string;
  cart: readonly { quantity: string; amount_unit: string }[];
};

const names: CartNames = {
  items: 'cart',
  quantity: (index) => `cart.${index}.quantity`,
  unit: (index) => `cart.${index}.amount_unit`,
  total: 'amount_purchase',
};

/** The cart, whose total must equal the one that was sent; or what is wrong with it. */
export const feeCart = (sent: FeeCartInput): Cart | string[] => {
  const { currency_code: currency, amount_purchase: purchase } = sent;
  const cart = readCart(
    {
      quantities: sent.cart.map(({ quantity }) => quantity),
      unitAmounts: sent.cart.map(({ amount_unit }) => amount_unit),
      shipping: sent.amount_shipping,
      tax: sent.amount_tax,
      coupon: sent.amount_coupon,
    },
    currency,
    names,
  );
  if (Array.isArray(cart)) return cart;
  const total = parseAmount(purchase, currency);
  if (typeof total !== 'string' && total.minor === cart.total) return cart;
  const right = formatAmount({ minor: cart.total, currency });
  return [`amount_purchase: must be ${right}, the items, shipping and tax less the coupon`];
};
