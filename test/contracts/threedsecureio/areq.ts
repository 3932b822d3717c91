/**
 * The fields of an AReq by browser, in EMV 3DS 2.2.0 and 2.3.1.
 * @see https://docs.3dsecure.io, tables areq_220 and areq_231 (2026-05-12)
 */

type Json = Record<string, unknown>;

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
const ascii = (longest: number, least = 1) => new RegExp(`^[\\x20-\\x7e]{${least},${longest}}$`);
const address = /^https?:\/\/\S{1,240}$/;

/** Fields of an AReq of the browser channel: what their text has to look like. */
const areqFields: Record<string, RegExp> = {
  messageType: /^AReq$/,
  messageVersion: /^2\.(?:2\.0|3\.1)$/,
  messageCategory: /^(?:01|02|80)$/,
  deviceChannel: /^02$/,
  threeDSServerTransID: uuid,
  threeDSCompInd: /^[YNU]$/,
  notificationURL: address,
  acctNumber: /^\d{13,19}$/,
  cardExpiryDate: /^\d\d(?:0[1-9]|1[0-2])$/,
  acctType: /^0[1-3]$/,
  acctID: ascii(64),
  threeDSRequestorID: ascii(35),
  threeDSRequestorName: ascii(40),
  threeDSRequestorURL: address,
  threeDSRequestorAuthenticationInd: /^0[1-7]$/,
  threeDSRequestorChallengeInd: /^0[1-9]$/,
  acquirerBIN: ascii(11),
  acquirerMerchantID: ascii(35),
  mcc: /^\d{4}$/,
  merchantCountryCode: /^\d{3}$/,
  merchantName: ascii(40),
  purchaseAmount: /^\d{1,48}$/,
  purchaseCurrency: /^\d{3}$/,
  purchaseExponent: /^\d$/,
  purchaseDate: /^20\d{12}$/,
  transType: /^(?:01|03|10|11|28)$/,
  cardholderName: ascii(45, 2),
  email: /^[^@\s]+@[^@\s]+$/,
  ...Object.fromEntries(
    ['bill', 'ship'].flatMap((prefix) => [
      [`${prefix}AddrLine1`, ascii(50)],
      [`${prefix}AddrCity`, ascii(50)],
      [`${prefix}AddrState`, /^[A-Z\d]{1,3}$/],
      [`${prefix}AddrPostCode`, ascii(16)],
      [`${prefix}AddrCountry`, /^\d{3}$/],
    ]),
  ),
  addrMatch: /^[YN]$/,
  browserAcceptHeader: ascii(2048),
  browserIP: /^[\da-f.:]{2,45}$/i,
  browserLanguage: ascii(8),
  browserColorDepth: /^(?:1|4|8|15|16|24|32|48)$/,
  browserScreenHeight: /^\d{1,6}$/,
  browserScreenWidth: /^\d{1,6}$/,
  browserTZ: /^[+-]?\d{1,4}$/,
  browserUserAgent: ascii(2048),
};
const required = [
  ...['messageType', 'messageVersion', 'messageCategory', 'deviceChannel', 'threeDSServerTransID', 'threeDSCompInd'],
  ...['notificationURL', 'acctNumber', 'cardExpiryDate', 'threeDSRequestorURL', 'threeDSRequestorAuthenticationInd'],
  ...['acquirerBIN', 'acquirerMerchantID', 'mcc', 'merchantCountryCode', 'merchantName', 'purchaseAmount'],
  ...['purchaseCurrency', 'purchaseExponent', 'purchaseDate', 'browserAcceptHeader', 'browserLanguage'],
  ...['browserColorDepth', 'browserScreenHeight', 'browserScreenWidth', 'browserTZ', 'browserUserAgent'],
  ...['browserJavaEnabled', 'browserJavascriptEnabled'],
];

const requiredSince231 = ['acceptLanguage', 'acquirerCountryCode', 'acquirerCountryCodeSource'];

/** Returns the problem of a value of a field that is no plain text. */
const structured: Record<string, (value: unknown, version: string) => boolean> = {
  browserJavaEnabled: (value) => typeof value === 'boolean',
  browserJavascriptEnabled: (value) => value === true,
  mobilePhone: (value) => {
    const { cc, subscriber, ...rest } = value as Json;
    return /^\d{1,3}$/.test(String(cc)) && /^\d{1,12}$/.test(String(subscriber)) && Object.keys(rest).length === 0;
  },
  acctInfo: (value) =>
    Object.entries(value as Json).every(
      ([name, text]) =>
        (/^(?:chAccAgeInd|chAccChangeInd)$/.test(name) && /^0[1-5]$/.test(String(text))) ||
        (/^(?:chAccDate|chAccChange)$/.test(name) && /^20\d{6}$/.test(String(text))) ||
        (name === 'nbPurchaseAccount' && /^\d{1,4}$/.test(String(text))),
    ),
  acceptLanguage: (value, version) =>
    version === '2.3.1' && Array.isArray(value) && value.every((one) => typeof one === 'string'),
  acquirerCountryCode: (value, version) => version === '2.3.1' && /^\d{3}$/.test(String(value)),
  acquirerCountryCodeSource: (value, version) => version === '2.3.1' && value === '01',
};

/** Returns what is wrong with an AReq; undefined if nothing is. */
export const areqProblem = (body: Json): string | undefined => {
  const version = String(body['messageVersion']);
  const missing = [...required, ...(version === '2.3.1' ? requiredSince231 : [])].find((name) => !(name in body));
  if (missing) return `${missing} is missing`;
  const wrong = Object.entries(body).find(([name, value]) => !isRight(name, value, version));
  if (wrong) return `${wrong[0]} is wrong: ${JSON.stringify(wrong[1])}`;
  if (body['messageCategory'] === '01' && !('transType' in body)) return 'transType is missing';
  return 'shipAddrState' in body && !('shipAddrCountry' in body) ? 'shipAddrCountry is missing' : undefined;
};

const isRight = (name: string, value: unknown, version: string): boolean => {
  const check = structured[name];
  if (check) return check(value, version);
  if (name === 'threeDSRequestorChallengeInd' && version === '2.3.1') {
    return Array.isArray(value) && value.every((one) => /^(?:0[1-9]|1[0-4])$/.test(String(one)));
  }
  return typeof value === 'string' && (areqFields[name]?.test(value) ?? false);
};
