/**
 * The currencies of ISO 4217 and how many decimals each has. Made from the package currency-codes (MIT), whose other
 * columns would fill half a function's bundle; a test checks that the two agree, apart from `XCG` and `XAD` (amendments 176 and 177), which the
 * package lacks, and what has ended.
 */
const byExponent = {
  0: [
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XAG XAU XBA XBB XBC XBD XDR XOF XPD XPF XPT XSU',
    'XTS XUA XXX',
  ],
  2: [
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE',
    'CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD',
    'HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU',
    'MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG',
    'SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST',
    'XAD XCD XCG YER ZAR ZMW ZWG',
  ],
  3: ['BHD IQD JOD KWD LYD OMR TND'],
  4: ['CLF UYW'],
} as const;

/** Ended: the Antillean guilder (XCG since 2025-03-31), the lev (EUR since 2026-01-01), the convertible peso. Amounts of earlier days stay readable. */
export const endedCurrencies: Readonly<Record<string, number>> = { ANG: 2, BGN: 2, CUC: 2 };

/** Exponent by currency code. */
export const currencies: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(byExponent).flatMap(([exponent, lines]) =>
    lines.flatMap((line) => line.split(' ').map((code) => [code, Number(exponent)] as const)),
  ),
);
