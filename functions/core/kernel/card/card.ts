import { inspect } from 'node:util';
import cardTypes from 'credit-card-type';
import { iso, milliseconds } from '../clock.ts';
import { hmacSha256, type KeyRing } from '../crypto.ts';
import { purposeKey, purposeKeys } from '../key-ring.ts';
import { plainDigits } from './card-numbers.ts';
import { passesLuhn } from './luhn.ts';
import { type Scheme, schemes } from './schemes.ts';

export { maskKept, maskNumber } from './card-mask.ts';
export { holdsCardNumber } from './card-numbers.ts';
export type { Scheme } from './schemes.ts';

/** Payment cards: their schemes, the checks of card input, and what may be stored. */

const packageNames = {
  VISA: 'visa',
  MASTERCARD: 'mastercard',
  AMEX: 'american-express',
  DISCOVER: 'discover',
  DINERS: 'diners-club',
  JCB: 'jcb',
  UNIONPAY: 'unionpay',
} as const satisfies Record<Scheme, string>;

type SchemeRules = { title: string; lengths: readonly number[]; cvvDigits: number };

/** Returns the lengths and prefixes of a scheme's cards, from the table of the package credit-card-type (MIT). */
export const schemeRules = (scheme: Scheme): SchemeRules => {
  const type = cardTypes.getTypeInfo(packageNames[scheme]);
  return { title: type.niceType, lengths: type.lengths, cvvDigits: type.code.size };
};

const schemeByPackageName = new Map<string, Scheme>(schemes.map((scheme) => [packageNames[scheme], scheme]));

/** The scheme of a card number, or of its first six digits at least; undefined if it is none of those we take. */
export const schemeOf = (digits: string): Scheme | undefined => {
  if (!/^\d{6,19}$/.test(digits)) return undefined;
  const candidates = cardTypes(digits);
  // Of several matching ranges, the one with the most digits applies: 6011 before 6.
  const best = candidates.toSorted((left, right) => (right.matchStrength ?? 0) - (left.matchStrength ?? 0))[0];
  return best && schemeByPackageName.get(best.type);
};

/** The part of a card that is stored and shown: never the number, its expiry or its holder. `token`: see fingerprintOf. */
export type KeptCard = {
  scheme: Scheme;
  first6: string;
  last4: string;
  /** The number as a keyed digest, by which the same card is found again. */
  token: string;
};

const fingerprintWith = (key: string | Uint8Array, digits: string): string => hmacSha256(key, digits).slice(0, 40);

/**
 * Returns a card number as 160 bits of an HMAC-SHA256 under the current key of the `encryption` secret. The same card is found again, and
 * numbers cannot be tried out without the key.
 */
export const fingerprintOf = (ring: KeyRing, digits: string): string =>
  fingerprintWith(purposeKey(ring, ring.current, 'card') ?? '', digits);

/** The fingerprints that a number may be stored under: with the current key and all earlier ones, including retired keys. */
export const cardFingerprintsOf = (ring: KeyRing, digits: string): string[] =>
  purposeKeys(ring, 'card').map((key) => fingerprintWith(key, digits));

export type CardParts = { number: string; cvv: string | null; expMonth: string; expYear: string; holder: string };

/**
 * A card as it was sent, for as long as a request lives. Number and CVV can be read by calling `reveal` and in no other
 * way: they are in no property, so no log line, error or queue message that shows the object can hold them.
 */
export class Card {
  readonly #parts: CardParts;
  readonly scheme: Scheme;

  constructor(parts: CardParts, scheme: Scheme) {
    this.#parts = parts;
    this.scheme = scheme;
  }

  /** For sending the card to a processor; do not keep the result in a variable that outlives the call. */
  reveal<T>(use: (parts: Readonly<CardParts>) => T): T {
    return use(this.#parts);
  }

  /** The part that may be stored. */
  toKeptCard(ring: KeyRing): KeptCard {
    const { number } = this.#parts;
    const [first6, last4] = [number.slice(0, 6), number.slice(-4)];
    return { scheme: this.scheme, first6, last4, token: fingerprintOf(ring, number) };
  }

  toJSON(): string {
    return '[card]';
  }

  toString(): string {
    return '[card]';
  }

  [inspect.custom](): string {
    return '[card]';
  }
}

/** A card as a call sends it. */
export type CardInput = {
  /** The scheme that the caller believes the card belongs to. */
  card_type?: Scheme | undefined;
  card_no: string;
  /** A number if JSON sent one, which has lost the code's leading zeros. */
  card_ccv?: string | number | undefined;
  card_exp_month?: string | undefined;
  card_exp_year?: string | undefined;
  card_name?: string | undefined;
};
const withPlainDigits = (sent: CardInput): CardInput => {
  const { card_ccv: cvv, card_exp_month: month, card_exp_year: year } = sent;
  const plain = (text: string): string => plainDigits(text).replace(/[\s\p{Cf}]/gu, '');
  return {
    ...sent,
    ...(typeof cvv === 'string' && { card_ccv: plain(cvv) }),
    ...(month !== undefined && { card_exp_month: plain(month) }),
    ...(year !== undefined && { card_exp_year: plain(year) }),
  };
};

type CardRules = { today: string; cvvIsOptional: boolean; expiryIsOptional?: boolean };

/**
 * Reads a card from a call's fields. Returns the problem of each wrong field, in words that follow the field's name and never repeat the
 * value; a scheme other than `card_type` is reported only if nothing else is wrong. `today`: ISO; a card is valid until its
 * month has ended everywhere on earth. Digits may be grouped, and of any width.
 */
export const readCard = (sent: CardInput, rules: CardRules): Card | string[] => {
  const input = withPlainDigits(sent);
  const number = plainDigits(input.card_no).replace(/[\s\p{Pd}\p{Cf}−.]/gu, '');
  const scheme = schemeOf(number);
  const cvv = normalizeCvv(input.card_ccv, scheme);
  const problems = [
    ...numberProblems(number, scheme),
    ...expiryProblems(input, rules),
    ...cvvProblems(cvv, scheme, rules),
  ];
  if (problems.length > 0 || !scheme) return problems;
  const { card_type: type = scheme, card_exp_month: expMonth = '', card_exp_year: expYear = '' } = input;
  if (type !== scheme) return [`card_type: is ${type}, but the number is of ${scheme}`];
  return new Card({ number, cvv: cvv ?? null, expMonth, expYear, holder: input.card_name ?? '' }, scheme);
};

/** Returns the possible lengths of a security code; 3 or 4 if the scheme is not known. */
const cvvLengths = (scheme: Scheme | undefined): number[] => (scheme ? [schemeRules(scheme).cvvDigits] : [3, 4]);

/** A security code as text. One that was sent as text is complete; a number gets back the zeros in front. */
const normalizeCvv = (sent: string | number | undefined, scheme: Scheme | undefined): string | undefined =>
  typeof sent === 'number' ? String(sent).padStart(Math.min(...cvvLengths(scheme)), '0') : sent;

const numberProblems = (number: string, scheme: Scheme | undefined): string[] => {
  if (!/^\d{12,19}$/.test(number)) return ['card_no: must be a card number of 12 to 19 digits'];
  if (!scheme) return [`card_no: must be a card of ${schemes.join(', ')}`];
  if (!schemeRules(scheme).lengths.includes(number.length)) {
    return [`card_no: must have ${schemeRules(scheme).lengths.join(' or ')} digits for ${scheme}`];
  }
  return passesLuhn(number) ? [] : ['card_no: has a wrong check digit'];
};

const expiryProblems = (
  { card_exp_month: month, card_exp_year: year }: CardInput,
  { today, expiryIsOptional }: CardRules,
): string[] => {
  if (expiryIsOptional && month === undefined && year === undefined) return [];
  const problems = [
    ...(/^(?:0[1-9]|1[0-2])$/.test(month ?? '') ? [] : ['card_exp_month: must be 01 to 12']),
    ...(/^20\d\d$/.test(year ?? '') ? [] : ['card_exp_year: must be four digits']),
  ];
  if (problems.length > 0) return problems;
  // At UTC−12 a month ends last.
  const there = iso(Date.parse(today) - 12 * milliseconds.hour);
  return `${year}-${month}` < there.slice(0, 'YYYY-MM'.length) ? ['card_exp_year: the card has expired'] : [];
};

const cvvProblems = (cvv: string | undefined, scheme: Scheme | undefined, { cvvIsOptional }: CardRules): string[] => {
  if (cvv === undefined) return cvvIsOptional ? [] : ['card_ccv: is required'];
  const lengths = cvvLengths(scheme);
  const isRight = /^\d+$/.test(cvv) && lengths.includes(cvv.length);
  return isRight ? [] : [`card_ccv: must have ${lengths.join(' or ')} digits`];
};
