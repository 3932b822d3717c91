import { exponentOf, type Money, parseAmount } from '#core/kernel/money/money.ts';

/** Amounts as calls send them: text, or a JSON number (one that is written oddly stays text: core/platform/http/json.ts). */
export type SentAmount = string | number;

export type CartInput = {
  /** Absent: one of each item. */
  quantities?: readonly SentAmount[] | undefined;
  unitAmounts: readonly SentAmount[];
  shipping?: SentAmount | undefined;
  tax?: SentAmount | undefined;
  coupon?: SentAmount | undefined;
};

/** A cart in minor units of one currency. `lines`: quantity times unit amount of each item. */
export type Cart = {
  currency: string;
  quantities: readonly number[];
  units: readonly bigint[];
  lines: readonly bigint[];
  shipping: bigint;
  tax: bigint;
  coupon: bigint;
  total: bigint;
};

/** The names of the fields in a call, so that problems are reported under its names. */
export type CartNames = {
  items: string;
  quantity: (index: number) => string;
  unit: (index: number) => string;
  total: string;
};

const transactionNames: CartNames = {
  items: 'item_amount_unit',
  quantity: (index) => `item_quantity.${index}`,
  unit: (index) => `item_amount_unit.${index}`,
  total: 'amount',
};

export const maxItems = 500;
const maxOfAnItem = 10_000;
/** 15 digits: what a JSON number of any language holds exactly. */
export const maxMinor = 999_999_999_999_999n;
const tooMuch = 'comes to more than 15 digits';

/**
 * The total of a cart in its currency's minor units, or everything that is wrong with it, field by field: items, shipping and
 * tax added, the coupon taken off.
 */
export const cartTotal = (input: CartInput, currency: string): Money | string[] => {
  const cart = readCart(input, currency);
  return Array.isArray(cart) ? cart : { minor: cart.total, currency };
};

/** The same, with the parts of the total. */
export const readCart = (input: CartInput, currency: string, names: CartNames = transactionNames): Cart | string[] => {
  if (exponentOf(currency) === undefined) return ['currency: must be a currency code of ISO 4217, such as USD'];
  const problems = shapeProblems(input, names);
  if (problems.length > 0) return problems;
  const amountOf = (field: string, sent: SentAmount): bigint => {
    const money = parseAmount(String(sent), currency);
    if (typeof money !== 'string' && money.minor <= maxMinor) return money.minor;
    problems.push(`${field}: ${typeof money === 'string' ? money : tooMuch}`);
    return 0n;
  };
  const quantities = input.unitAmounts.map((_, index) => {
    const quantity = readQuantity(input.quantities?.[index] ?? 1);
    if (quantity === undefined) {
      problems.push(`${names.quantity(index)}: must be a whole number from 1 to ${maxOfAnItem}`);
    }
    return quantity ?? 1;
  });
  const units = input.unitAmounts.map((sent, index) => amountOf(names.unit(index), sent));
  const lines = units.map((unit, index) => unit * BigInt(quantities[index] ?? 1));
  const shipping = amountOf('amount_shipping', input.shipping ?? 0);
  const tax = amountOf('amount_tax', input.tax ?? 0);
  const coupon = amountOf('amount_coupon', input.coupon ?? 0);
  // Problems that follow from a wrong amount need not be reported.
  if (problems.length > 0) return problems;
  const sum = sumMinor(lines) + shipping + tax;
  const problem = totalProblem(sum, coupon, names);
  return problem ? [problem] : { currency, quantities, units, lines, shipping, tax, coupon, total: sum - coupon };
};

const shapeProblems = ({ quantities, unitAmounts }: CartInput, { items }: CartNames): string[] => {
  if (unitAmounts.length === 0) return [`${items}: must have at least one item`];
  if (unitAmounts.length > maxItems) return [`${items}: must have at most ${maxItems} items`];
  if (quantities === undefined || quantities.length === unitAmounts.length) return [];
  return [`item_quantity: must have as many entries as ${items} (${unitAmounts.length}), or be absent for one of each`];
};

const readQuantity = (sent: SentAmount): number | undefined => {
  const quantity = /^[1-9]\d{0,4}$/.test(String(sent)) ? Number(sent) : 0;
  return quantity >= 1 && quantity <= maxOfAnItem ? quantity : undefined;
};

const totalProblem = (sum: bigint, coupon: bigint, { total }: CartNames): string | undefined => {
  if (sum > maxMinor) return `${total}: ${tooMuch}`;
  if (coupon > sum) return 'amount_coupon: must not be above the items, shipping and tax together';
  return coupon === sum ? `${total}: must be above 0` : undefined;
};

export const sumMinor = (parts: readonly bigint[]): bigint => parts.reduce((sum, part) => sum + part, 0n);

type CartLists = {
  item_amount_unit: readonly unknown[];
  item_name?: unknown;
  item_no?: unknown;
  item_description?: unknown;
};

/** Describes the problems of a cart's parallel lists, which have one place per item. */
export const sideBySideProblems = ({ item_amount_unit, item_name, item_no, item_description }: CartLists): string[] =>
  Object.entries({ item_name, item_no, item_description }).flatMap(([name, list]) =>
    Array.isArray(list) && list.length !== item_amount_unit.length
      ? [`${name}: must have as many entries as item_amount_unit (${item_amount_unit.length})`]
      : [],
  );
