import { countryNumber, readCurrencyCode } from '#core/kernel/money/numeric-codes.ts';

/** The values of a 3DS site's settings: checked when they are saved, and again when an authentication is made. Pure. */

export const threeDsProviders = ['sandbox', '3dsecureio'] as const;

type Check = { isRight: (text: string) => boolean; words: string };
const pattern = (expression: RegExp, words: string): Check => ({ isRight: (text) => expression.test(text), words });

const bin = pattern(/^\d{1,11}$/, 'the acquirer BIN of 1 to 11 digits');
const mid = pattern(/^[\x21-\x7e]{1,35}$/, "the acquirer's merchant id, 1 to 35 characters without blanks");
const country: Check = {
  isRight: (text) => countryNumber(text) !== undefined,
  words: 'a country of ISO 3166, two letters or three digits',
};
/** Networks accept ASCII only; letters with marks become plain ones. */
const name = (whose: string) => pattern(/[a-z\d]/i, `${whose}, with letters from A to Z or digits`);
const flag = pattern(/^[01]$/, '0 or 1');

const schemes = ['master', 'scheme3', 'scheme4', 'scheme5'];

/** Those of a site, by the interface's names; settings without a check may be any text. */
export const threeDsChecks: Readonly<Record<string, Check>> = {
  acquirerBin: bin,
  acquirerMid: mid,
  ...Object.fromEntries(
    schemes.flatMap((one) => [[`${one}AcquirerBin`, bin] as const, [`${one}AcquirerMid`, mid] as const]),
  ),
  mcc: pattern(/^\d{4}$/, 'the merchant category code of four digits'),
  merchantCountryCode: country,
  acquirerCountryCode: country,
  merchantName: name('the name that issuers show'),
  requestorName: name('the name of the site'),
  requestorURL: {
    isRight: (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
    words: 'the web address of the site, with https://',
  },
  authenticationInd: pattern(/^0[1-7]$/, 'two digits, 01 to 07'),
  challengeInd: pattern(/^0[1-9]$/, 'two digits, 01 to 09'),
  acctType: pattern(/^0[1-3]$/, '01, 02 or 03'),
  transType: pattern(/^(?:01|03|10|11|28)$/, '01, 03, 10, 11 or 28'),
  messageCategory: pattern(/^(?:01|02|80|n?pa)$/i, '01, 02, 80, pa or npa'),
  purchaseCurrency: { isRight: (text) => readCurrencyCode(text) !== undefined, words: 'a currency of ISO 4217' },
  clientMode: pattern(/^(?:modal|inline)$/, 'modal or inline'),
  enableResult: flag,
  disableChallenge: flag,
  enable3DS1Only: pattern(/^0$/, '0, as 3DS 1 has ended'),
  three_ds_provider: pattern(new RegExp(`^(?:${threeDsProviders.join('|')})$`), threeDsProviders.join(' or ')),
  threedsprotocolversion: pattern(/^2\.(?:2(?:\.0)?|3(?:\.1)?)$/, '2.2.0 or 2.3.1'),
};

/** Describes what is wrong with a setting's value; undefined if it is right, or empty. */
export const threeDsValueProblem = (setting: string, value: string | number): string | undefined => {
  const text = String(value).trim();
  const check = threeDsChecks[setting];
  return text === '' || !check || check.isRight(text) ? undefined : `must be ${check.words}`;
};
