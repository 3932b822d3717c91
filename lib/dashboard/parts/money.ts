import { isEnglish, listText, numberFormat, presentLocale, translate } from '../language/translate.ts';

/** Currencies with a sign that readers everywhere know; all others are written with their code at the end. */
const signs: Readonly<Record<string, string>> = {
  ...{ USD: '$', EUR: '€', GBP: '£', JPY: '¥', INR: '₹', KRW: '₩', ILS: '₪', VND: '₫' },
  ...{ CAD: 'CA$', AUD: 'A$', NZD: 'NZ$', HKD: 'HK$', MXN: 'MX$', BRL: 'R$', TWD: 'NT$' },
};

/**
 * An amount as the service writes it (`-1234.50`), as people write it: `−$1,234.50`, `1,234.50 CHF`. Its decimals are its currency's
 * already, and it is never made a number, which could not hold every amount.
 */
export const amountText = (amount: string | number, currency = ''): string => {
  if (!isEnglish()) return amountInLanguage(String(amount), currency);
  const [, sign = '', whole = String(amount), rest = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(String(amount)) ?? [];
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const mark = signs[currency];
  return `${sign && '−'}${mark ?? ''}${grouped}${rest}${currency && mark === undefined ? ` ${currency}` : ''}`;
};

/** Returns an amount as the present language writes it; `Intl` reads the text itself, so that no digit is lost. */
const amountInLanguage = (amount: string, currency: string): string => {
  const digits = /^-?\d+(?:\.(\d+))?$/.exec(amount)?.[1]?.length ?? 0;
  const parts = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const isKnown = /^[A-Z]{3}$/.test(currency);
  const format = numberFormat(isKnown ? { ...parts, style: 'currency', currency } : parts);
  if (Number.isNaN(Number(amount))) return amount;
  const written = format.formatToParts(amount as Intl.StringNumericLiteral);
  // Intl mixes signs with countries, such as `$US`, and codes in French.
  const mark = presentLocale().startsWith('fr') ? (signs[currency] ?? currency) : undefined;
  return written.map(({ type, value }) => (type === 'currency' ? (mark ?? value) : value)).join('');
};

const decimalsOf = new Map<string, number | undefined>();

/** An amount that the service writes as a number, with all decimals of its currency. */
export const numberText = (amount: number, currency: string): string => {
  if (!decimalsOf.has(currency)) {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    decimalsOf.set(currency, format.resolvedOptions().maximumFractionDigits);
  }
  return amountText(amount.toFixed(decimalsOf.get(currency)), currency);
};

export type Sum = { amount: string; currency: string };

/** Sums of decimal texts, one per currency, in the order in which the currencies came. */
export const sumByCurrency = (amounts: readonly Sum[]): Sum[] => {
  const sums = new Map<string, { minor: bigint; decimals: number }>();
  for (const { amount, currency } of amounts) {
    const parsed = toDecimal(amount);
    if (!parsed) continue;
    const sum = sums.get(currency) ?? { minor: 0n, decimals: parsed.decimals };
    const decimals = Math.max(sum.decimals, parsed.decimals);
    sums.set(currency, { minor: scale(sum, decimals) + scale(parsed, decimals), decimals });
  }
  return [...sums].map(([currency, sum]) => ({ currency, amount: decimalText(sum) }));
};

/** Several amounts in a sentence: `$12.00, €3.00 and £1.00`. */
export const sumsText = (amounts: Parameters<typeof sumByCurrency>[0]): string => {
  const texts = sumByCurrency(amounts).map(({ amount, currency }) => amountText(amount, currency));
  return texts.length === 0 ? translate('nothing') : listText(texts);
};

type Decimal = { minor: bigint; decimals: number };

export const toDecimal = (text: string): Decimal | undefined => {
  const [, sign = '', whole, part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  return whole === undefined ? undefined : { minor: BigInt(`${sign}${whole}${part}`), decimals: part.length };
};

export const scale = ({ minor, decimals }: Decimal, to: number): bigint => minor * 10n ** BigInt(to - decimals);

export const decimalText = ({ minor, decimals }: Decimal): string => {
  const digits = String(minor < 0n ? -minor : minor).padStart(decimals + 1, '0');
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return minor < 0n ? `-${text}` : text;
};

/** Checks whether a decimal text is above another; false where either is no decimal. */
export const isAbove = (amount: string, limit: string): boolean => {
  const [left, right] = [toDecimal(amount), toDecimal(limit)];
  if (!left || !right) return false;
  const decimals = Math.max(left.decimals, right.decimals);
  return scale(left, decimals) > scale(right, decimals);
};

/** Checks whether a decimal text is not below another; false where either is no decimal. */
export const isAtLeast = (amount: string, limit: string): boolean =>
  toDecimal(amount) !== undefined && toDecimal(limit) !== undefined && !isAbove(limit, amount);
