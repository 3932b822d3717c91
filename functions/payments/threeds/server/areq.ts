import type { Scheme } from '#core/kernel/card/schemes.ts';
import { countryNumber, currencyNumber } from '#core/kernel/money/numeric-codes.ts';
import { plainEmail } from '#payments/processors/payer-forms.ts';
import { type BrowserData, browserFields, type RequestData } from '../payer/browser-data.ts';
import type { Acquirer, Settings } from '../three-ds-settings.ts';
import { toAscii } from './ascii.ts';
import { toPhoneNumber } from './phone.ts';
import type { Areq } from './three-ds-server.ts';
import type { SpokenVersion } from './versions.ts';

/**
 * The authentication request of EMV 3DS 2.2.0 and 2.3.1, browser channel, without card data. Fields, lengths and
 * differences follow the tables of https://docs.3dsecure.io (areq_220, areq_231).
 */

export type PostalAddress = { line1: string; city: string; state: string; country: string; postcode: string };

/** The payer's account with the merchant; times ISO. */
type PayerAccount = {
  id: string | null;
  createdAt: string | null;
  changedAt: string | null;
  orders6m: number | null;
};

/** The result of the 3DS method, as issuers expect it: a page can report one only for a card that has a method. */
export const toCompletion = (methodUrl: string | null, said: 'Y' | 'N' | 'U'): 'Y' | 'N' | 'U' => {
  if (methodUrl === null) return 'U';
  return said === 'Y' ? 'Y' : 'N';
};

/** The payer and the address of the order, according to the merchant. */
export type PayerDetails = {
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  phone: string | null;
  address: PostalAddress | null;
  shipping: PostalAddress | null;
  account: PayerAccount | null;
};

export type AreqParts = {
  settings: Settings;
  scheme: Scheme;
  version: SpokenVersion;
  serverTransId: string;
  /** Y: the 3DS method returned; N: it did not; U: there is none. */
  method: 'Y' | 'N' | 'U';
  /** EMVCo's code for whether a challenge is requested. */
  challengeInd: string;
  money: { minor: string; currency: string; exponent: number };
  payer: PayerDetails;
  /** The name on the card; null if the page did not ask for it. */
  holder: string | null;
  browser: BrowserData;
  request: RequestData;
  notificationUrl: string;
  /** Now, ISO. */
  at: string;
};

const day = 86_400_000;
/** `20260502101112`. */
const digitsOfTime = (iso: string): string => iso.replace(/\D/g, '').slice(0, 14);
const digitsOfDay = (iso: string): string => digitsOfTime(iso).slice(0, 8);
const ageInDays = (iso: string, at: string): number => (Date.parse(at) - Date.parse(iso)) / day;

/** EMVCo's classes of age, from "during this transaction" on; `first` is the code of that. */
const ageCode = (iso: string, at: string, first: number): string => {
  const days = ageInDays(iso, at);
  const step = days < 1 / 24 ? 0 : days < 30 ? 1 : days <= 60 ? 2 : 3;
  return `0${first + step}`;
};

const accountFields = (account: PayerAccount | null, at: string) => {
  if (!account) return {};
  const { id, createdAt, changedAt, orders6m } = account;
  const acctInfo = {
    ...(createdAt && { chAccAgeInd: ageCode(createdAt, at, 2), chAccDate: digitsOfDay(createdAt) }),
    ...(changedAt && { chAccChangeInd: ageCode(changedAt, at, 1), chAccChange: digitsOfDay(changedAt) }),
    ...(orders6m !== null && { nbPurchaseAccount: String(Math.min(orders6m, 9999)) }),
  };
  const acctID = toAscii(id, 64);
  return { ...(acctID && { acctID }), ...(Object.keys(acctInfo).length > 0 && { acctInfo }) };
};

/** A state must be a code of ISO 3166-2 and come with its country. */
const toState = (state: string, country: string | undefined): string | null =>
  country !== undefined && /^[A-Za-z\d]{1,3}$/.test(state) ? state.toUpperCase() : null;

const addressFields = (prefix: 'bill' | 'ship', address: PostalAddress | null) => {
  if (!address) return {};
  const { line1, city, state, country, postcode } = address;
  const number = countryNumber(country);
  const fields = {
    Line1: toAscii(line1, 50),
    City: toAscii(city, 50),
    State: toState(state, number),
    PostCode: toAscii(postcode, 16),
    Country: number ?? null,
  };
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[`${prefix}Addr${name}`, value]])),
  );
};

const sameAddress = (left: PostalAddress, right: PostalAddress): boolean =>
  (['line1', 'city', 'state', 'country', 'postcode'] as const).every(
    (part) => left[part].trim().toLowerCase() === right[part].trim().toLowerCase(),
  );

const payerFields = (
  { firstName, lastName, email, phone, address, shipping, account }: PayerDetails,
  parts: AreqParts,
) => {
  const cardholderName = toAscii(parts.holder, 45, 2) ?? toAscii(`${firstName ?? ''} ${lastName ?? ''}`, 45, 2);
  const mobilePhone = toPhoneNumber(phone);
  return {
    ...(cardholderName && { cardholderName }),
    ...(plainEmail(email) && { email }),
    ...(mobilePhone && { mobilePhone }),
    ...addressFields('bill', address),
    ...addressFields('ship', shipping),
    ...(address && shipping && { addrMatch: sameAddress(address, shipping) ? 'Y' : 'N' }),
    ...accountFields(account, parts.at),
  };
};

const requestorFields = ({ settings, scheme, version, challengeInd }: AreqParts) => {
  const prefix = scheme === 'MASTERCARD' ? settings.mastercardPrefix : '';
  const threeDSRequestorName = toAscii(settings.requestorName, 40);
  return {
    ...(settings.requestorId && { threeDSRequestorID: `${prefix}${settings.requestorId}` }),
    ...(threeDSRequestorName && { threeDSRequestorName }),
    threeDSRequestorURL: settings.requestorUrl,
    threeDSRequestorAuthenticationInd: settings.authenticationInd,
    // 2.3.1 takes several.
    threeDSRequestorChallengeInd: version === '2.3.1' ? [challengeInd] : challengeInd,
  };
};

/** The acquirer that authenticates cards of a scheme. */
export const acquirerFor = ({ acquirers }: Settings, scheme: Scheme): Acquirer => acquirers[scheme] ?? acquirers.VISA;

/** Of 2.3.1. `01`: the 3DS server states it. https://docs.3dsecure.io (areq_231, 2026-05-12) */
const acquirerCountryFields = ({ version, settings: { acquirerCountryNumber, countryNumber } }: AreqParts) =>
  version === '2.3.1'
    ? { acquirerCountryCode: acquirerCountryNumber ?? countryNumber, acquirerCountryCodeSource: '01' }
    : {};

const merchantFields = (parts: AreqParts) => {
  const { settings, scheme } = parts;
  const { bin, mid } = acquirerFor(settings, scheme);
  const merchantName = toAscii(settings.merchantName, 40);
  return {
    acquirerBIN: bin,
    acquirerMerchantID: mid,
    ...acquirerCountryFields(parts),
    mcc: settings.mcc,
    merchantCountryCode: settings.countryNumber,
    ...(merchantName && { merchantName }),
  };
};

/** An authentication without a payment has no transaction type. */
const purchaseFields = ({ money, settings, at }: AreqParts) => ({
  purchaseAmount: money.minor,
  purchaseCurrency: currencyNumber(money.currency),
  purchaseExponent: String(money.exponent),
  purchaseDate: digitsOfTime(at),
  ...(settings.messageCategory !== '02' && { transType: settings.transType }),
});

/** The AReq; an adapter adds the card's number and expiry when it sends it. */
export const makeAreq = (parts: AreqParts): Areq => ({
  messageType: 'AReq',
  messageVersion: parts.version,
  messageCategory: parts.settings.messageCategory,
  deviceChannel: '02',
  threeDSServerTransID: parts.serverTransId,
  threeDSCompInd: parts.method,
  notificationURL: parts.notificationUrl,
  ...(parts.settings.acctType && { acctType: parts.settings.acctType }),
  ...requestorFields(parts),
  ...merchantFields(parts),
  ...purchaseFields(parts),
  ...payerFields(parts.payer, parts),
  ...browserFields(parts.browser, parts.request, parts.version),
});
