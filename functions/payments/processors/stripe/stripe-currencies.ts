import { type CurrencyOf, isAmong, type ProcessorCurrency } from '../amounts.ts';

/**
 * The currencies of Stripe and their decimals, from https://docs.stripe.com/currencies (presentment currencies; zero-decimal currencies;
 * three-decimal currencies; special cases; 2026-11-28). XCG, the successor of ANG, is assumed. Differences to ISO 4217 are why this is a
 * table of its own. Plain text, parsed on use, so that bundles which do not use it do not contain it.
 */
const twoDecimals =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CNY COP CRC CVE ' +
  'CZK DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR JMD KES KGS KHR KYD KZT LAK ' +
  'LBP LKR LRD LSL MAD MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR ' +
  'RON RSD RUB SAR SBD SCR SEK SGD SHP SLE SOS SRD SZL THB TJS TOP TRY TTD TWD TZS UAH USD UYU UZS WST XCD XCG YER ZAR ZMW';
/** MGA has two decimals in ISO 4217: only whole ariary can be charged. */
const zeroDecimals = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF';
/** Without decimals, yet written with two that are zero, as they once had them. (HUF and TWD: payouts only.) */
const writtenWithTwo = 'ISK UGX';
/** The last digit has to be zero; Stripe advises to round, we refuse. */
const threeDecimals = 'BHD JOD KWD OMR TND';

const counted: readonly (readonly [codes: string, as: ProcessorCurrency])[] = [
  [twoDecimals, { exponent: 2, step: 1 }],
  [zeroDecimals, { exponent: 0, step: 1 }],
  [writtenWithTwo, { exponent: 2, step: 100 }],
  [threeDecimals, { exponent: 3, step: 10 }],
];

export const stripeCurrency: CurrencyOf = (currency) => counted.find(([codes]) => isAmong(codes, currency))?.[1];
