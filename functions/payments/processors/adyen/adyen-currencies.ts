import { exponentOf } from '#core/kernel/money/money.ts';
import { type CurrencyOf, isAmong, type ProcessorCurrency } from '../amounts.ts';

/** The currencies of Adyen, from https://docs.adyen.com/development-resources/currency-codes (2026-11-28; XCG, the successor of ANG, is assumed) */
const taken =
  'AED ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BMD BND BOB BRL BSD BWP BYN BZD CAD CHF CLP CNY COP CRC ' +
  'CUP CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD ' +
  'ISK JMD JOD JPY KES KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LYD MAD MDL MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR ' +
  'MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS ' +
  'SRD STN SVC SZL THB TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW';

/** "For CLP, CVE, IDR and ISK the standard has a different number of decimals than shown in our table." */
const ownExponents: Readonly<Record<string, ProcessorCurrency>> = {
  CLP: { exponent: 2, step: 1 },
  CVE: { exponent: 0, step: 1 },
  IDR: { exponent: 0, step: 1 },
  ISK: { exponent: 2, step: 1 },
};

export const adyenCurrency: CurrencyOf = (currency) => {
  const exponent = exponentOf(currency);
  if (exponent === undefined || !isAmong(taken, currency)) return undefined;
  return Object.hasOwn(ownExponents, currency) ? ownExponents[currency] : { exponent, step: 1 };
};
