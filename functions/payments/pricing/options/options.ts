import { type Scheme, schemes } from '#core/kernel/card/schemes.ts';
import { formatAmount, type Money } from '#core/kernel/money/money.ts';
import { listedCurrencies } from '#payments/payments/currency-list.ts';
import { paymentMethods } from '#payments/payments/payment-methods.ts';
import { canPayOut } from '#payments/processors/ports/processors.ts';
import { canCharge } from '#payments/processors/processor-currencies.ts';
import { type Route, routesFor } from '#payments/processors/routing/routing.ts';

/** Checks whether some route of a site, and its processor, take a scheme in a currency; with an amount, whether both take that much. */
export const isSchemeAccepted = (
  routes: readonly Route[],
  { scheme, currency, minor }: { scheme: Scheme; currency: string; minor?: bigint },
): boolean => {
  const able = routes.filter(({ processor }) => canCharge(processor, { currency, minor }));
  return minor === undefined
    ? able.some(
        ({ schemes: taken, currencies }) =>
          (taken === null || taken.includes(scheme)) && (currencies === null || currencies.includes(currency)),
      )
    : routesFor(able, { scheme, currency, minor }).length > 0;
};

/** A payment option on the wire: interface 2.3. */
export type PaymentOption = {
  paymethod: Scheme;
  display_title: string;
  description: string;
  /** Three digits; `currency` has the three letters. */
  currency_code: string;
  currency_symbol: string;
  image: string;
  amount_shipping: number;
  amount_coupon: number;
  amount_tax: number;
  currency: string;
};

type Amounts = { shipping: bigint; coupon: bigint; tax: bigint };
const noAmounts: Amounts = { shipping: 0n, coupon: 0n, tax: 0n };

/** At most 15 digits, which a number holds exactly. */
export const wireNumber = (money: Money): number => Number(formatAmount(money));

export const paymentOption = (scheme: Scheme, currency: string, amounts: Amounts = noAmounts): PaymentOption => {
  const title = paymentMethods.find(({ code }) => code === scheme)?.name ?? scheme;
  return {
    paymethod: scheme,
    display_title: title,
    description: `Pay by ${title} card in ${currency}`,
    currency_code: numericOf.get(currency) ?? '',
    currency_symbol: moneySign(currency),
    image: drawImage(title),
    amount_shipping: wireNumber({ minor: amounts.shipping, currency }),
    amount_coupon: wireNumber({ minor: amounts.coupon, currency }),
    amount_tax: wireNumber({ minor: amounts.tax, currency }),
    currency,
  };
};

/** Returns a site's options in each of several currencies, whatever the amount. */
export const optionsIn = (
  routes: readonly Route[],
  currencies: readonly string[],
): (PaymentOption & { payout: boolean })[] => {
  const payable = routes.filter(({ processor }) => canPayOut(processor));
  return schemes.flatMap((scheme) =>
    currencies
      .filter((currency) => isSchemeAccepted(routes, { scheme, currency }))
      .map((currency) => ({
        ...paymentOption(scheme, currency),
        payout: isSchemeAccepted(payable, { scheme, currency }),
      })),
  );
};

/** The currencies a site offers if none is asked for: its own first, then those its routes name. */
export const listOffered = (routes: readonly Route[], own: string | undefined): string[] => [
  ...new Set([...(own === undefined ? [] : [own]), ...routes.flatMap(({ currencies }) => currencies ?? [])]),
];

const numericOf: ReadonlyMap<string, string> = new Map(listedCurrencies.map(({ code, numeric }) => [code, numeric]));
const codeOf: ReadonlyMap<string, string> = new Map(listedCurrencies.map(({ code, numeric }) => [numeric, code]));

/** The currency of a three-digit number of ISO 4217. */
export const currencyOfNumber = (numeric: string): string | undefined => codeOf.get(numeric);

/** The symbol by which English readers distinguish currencies: `$`, `CA$`, `€`; the code if there is none. */
const moneySign = (currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).formatToParts(0).find(({ type }) => type === 'currency')
    ?.value ?? currency;

/**
 * A plain card with the scheme's name, as a data URL, so that a payment page loads nothing from
 * elsewhere. The schemes' logos, which have to be licensed from them, are left to the merchant.
 */
const drawImage = (title: string): string =>
  `data:image/svg+xml,${encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 60"><rect width="96" height="60" rx="6" fill="#eef"/>' +
      `<text x="48" y="34" font-family="sans-serif" font-size="10" text-anchor="middle" fill="#223">${title}</text></svg>`,
  )}`;
