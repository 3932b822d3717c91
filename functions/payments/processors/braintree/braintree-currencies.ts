import { exponentOf } from '#core/kernel/money/money.ts';
import { type CurrencyOf, isAmong } from '../amounts.ts';

/**
 * The currencies of Braintree, in the decimals of ISO 4217: https://developer.paypal.com/braintree/docs/reference/general/currencies. Which
 * of them an account accepts follows from its merchant accounts, each of which has one currency.
 */
const taken =
  'AED AMD AOA ARS AUD AWG AZN BAM BBD BDT BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CHF CLP CNY COP CRC CVE CZK DJF ' +
  'DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR ISK JMD JPY KES KGS KHR ' +
  'KMF KRW KYD KZT LAK LBP LKR LRD LSL MAD MDL MKD MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK ' +
  'PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SOS SRD SVC SYP SZL THB TJS TOP TRY TTD TWD TZS UAH UGX ' +
  'USD UYU UZS VND VUV WST XAF XCD XOF XPF YER ZAR';

export const braintreeCurrency: CurrencyOf = (currency) => {
  const exponent = exponentOf(currency);
  return exponent === undefined || !isAmong(taken, currency) ? undefined : { exponent, step: 1 };
};
