import type { Cart } from './cart.ts';

/** The bought items of a call, in minor units of the call's currency. */
export type Basket = {
  currency: string;
  items: readonly BasketItem[];
  shipping: bigint;
  tax: bigint;
  coupon: bigint;
  total: bigint;
};

/** Texts are as they were sent: check them for card numbers before keeping them. */
export type BasketItem = {
  name: string;
  sku: string | null;
  description: string | null;
  quantity: number;
  unit: bigint;
};

type Lists = {
  item_name: readonly string[];
  item_no?: readonly string[] | undefined;
  item_description?: readonly string[] | undefined;
};

/** The lists of a call that stand side by side, as one list of items. */
export const toBasket = (
  { item_name: names, item_no: numbers, item_description: descriptions }: Lists,
  { currency, quantities, units, shipping, tax, coupon, total }: Cart,
): Basket => ({
  currency,
  shipping,
  tax,
  coupon,
  total,
  items: units.map((unit, index) => ({
    name: names[index] ?? '',
    sku: numbers?.[index] ?? null,
    description: descriptions?.[index] ?? null,
    quantity: quantities[index] ?? 1,
    unit,
  })),
});
