import { type Scheme, schemes } from '#core/kernel/card/schemes.ts';
import { type Cart, maxMinor } from '#payments/payments/order/cart.ts';
import type { Route } from '#payments/processors/routing/routing.ts';
import { allocate } from './allocation.ts';
import { type Fee, feeFor, feeOn } from './fees/fee.ts';
import { isSchemeAccepted, type PaymentOption, paymentOption, wireNumber } from './options/options.ts';
import { convert, isNearRate, rateBounds } from './rates/conversion.ts';

/** The facts about an item that a payer sees in addition to its price. */
type ItemWords = { item_desc: string; item_no?: string | undefined; name?: string | undefined };

export type QuoteInput = {
  cart: Cart;
  /** In the order of the cart. */
  items: readonly ItemWords[];
  /** The currency of the site's payments. */
  chargedCurrency: string;
  /** From the cart's currency to that one, margin included; `1` where they are the same. */
  rate: string;
  addFee: boolean;
  fees: readonly Fee[];
  routes: readonly Route[];
};

/** A payment method with the cart's amounts in it. */
export type QuotedMethod = PaymentOption & {
  fxrate: string;
  amount_purchase: number;
  amount_fee: number;
  amount_total: number;
  cart: QuotedItem[];
};

type QuotedItem = {
  item_desc: string;
  item_no: string | null;
  name: string | null;
  quantity: number;
  amount_unit: number;
  amount: number;
  amount_fee: number;
};

/**
 * The methods by which a cart can be paid, each with the cart in its currency and its fee; or why it cannot be paid at all.
 */
export const quote = (input: QuoteInput): QuotedMethod[] | string => {
  const converted = convertedCart(input.cart, input.chargedCurrency, input.rate);
  if (converted.total === 0n) return `amount_purchase: comes to nothing in ${input.chargedCurrency}`;
  if (converted.total + converted.coupon > maxMinor)
    return `amount_purchase: comes to more than 15 digits in ${input.chargedCurrency}`;
  return schemes.flatMap((scheme) => quotedMethod(scheme, converted, input) ?? []);
};

/** Describes the problem of a rate that a caller posts in addition to the applied one; undefined if there is none. */
export const rateProblem = (posted: string, applied: string): string | undefined => {
  const { lowest, highest } = rateBounds(applied);
  return isNearRate(posted, applied)
    ? undefined
    : `fxrate_posted: must be from ${lowest} to ${highest}, as the service's rate is ${applied}`;
};

/**
 * A cart in another currency. Its total is converted once and split among the parts, so that they add up to it however
 * each of them is rounded.
 */
export const convertedCart = (cart: Cart, currency: string, rate: string): Cart => {
  const inOther = (minor: bigint): bigint => convert({ minor, currency: cart.currency }, currency, rate).minor;
  const [total, coupon] = [inOther(cart.total), inOther(cart.coupon)];
  const parts = allocate(total + coupon, [...cart.lines, cart.shipping, cart.tax]);
  const [lines, [shipping = 0n, tax = 0n]] = [parts.slice(0, -2), parts.slice(-2)];
  return { ...cart, currency, units: cart.units.map(inOther), lines, shipping, tax, coupon, total };
};

const quotedMethod = (scheme: Scheme, cart: Cart, input: QuoteInput): QuotedMethod | undefined => {
  const { currency, total } = cart;
  const fee = input.addFee ? feeOn({ minor: total, currency }, feeFor(input.fees, scheme, currency)) : 0n;
  const minor = total + fee;
  // With the coupon, as a transaction adds up the items before it subtracts the coupon.
  if (minor + cart.coupon > maxMinor || !isSchemeAccepted(input.routes, { scheme, currency, minor })) return undefined;
  const toWire = (part: bigint): number => wireNumber({ minor: part, currency });
  return {
    ...paymentOption(scheme, currency, cart),
    fxrate: input.rate,
    amount_purchase: toWire(total),
    amount_fee: toWire(fee),
    amount_total: toWire(minor),
    cart: quotedItems(cart, fee, input.items),
  };
};

const quotedItems = (cart: Cart, fee: bigint, words: readonly ItemWords[]): QuotedItem[] => {
  const toWire = (part: bigint | undefined): number => wireNumber({ minor: part ?? 0n, currency: cart.currency });
  const fees = allocate(fee, cart.lines);
  return words.map(({ item_desc, item_no = null, name = null }, index) => ({
    item_desc,
    item_no,
    name,
    quantity: cart.quantities[index] ?? 1,
    amount_unit: toWire(cart.units[index]),
    amount: toWire(cart.lines[index]),
    amount_fee: toWire(fees[index]),
  }));
};
