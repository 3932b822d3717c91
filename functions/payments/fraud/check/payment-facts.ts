import { formatAmount } from '#core/kernel/money/money.ts';
import type { Facts } from '#payments/conditions/fact-values.ts';
import { type VelocityRow, velocityFacts } from '../velocity/velocity.ts';
import { type FraudSubject, mailDomain, payerCountry, payerEmail } from './subject.ts';

/** Checks whether two texts differ; null where one is not known. */
const differ = (left: string | null, right: string | null): boolean | null =>
  left === null || right === null ? null : left !== right;

/**
 * Every fact about a subject before it is scored; null if unknown. Amounts are in the currency's units.
 * `issuedIn`: the card's country by the BIN table; if that has none, the merchant's own statement counts, if any.
 */
export const paymentFactsOf = (
  subject: FraudSubject,
  rowOf: (name: string) => VelocityRow | undefined,
  issuedIn: string | null,
): Facts => {
  const { card, device, money, shipping, at } = subject;
  const binCountry = issuedIn ?? device.binCountry;
  const country = payerCountry(subject);
  const shippingCountry = shipping?.country.toUpperCase() || null;
  return {
    amount: Number(formatAmount(money)),
    currency: money.currency,
    card_scheme: card?.scheme ?? null,
    card_bin: card?.first6 ?? null,
    bin_country: binCountry,
    country,
    shipping_country: shippingCountry,
    bin_country_differs: differ(binCountry, country),
    shipping_country_differs: differ(shippingCountry, country),
    email_domain: mailDomain(payerEmail(subject)),
    hour: new Date(at).getUTCHours(),
    three_ds_source: subject.threeDsSource ?? null,
    ...velocityFacts(subject, rowOf),
  };
};
