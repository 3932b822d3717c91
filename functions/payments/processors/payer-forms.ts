import { isAddress } from '#core/kernel/schema/email-pattern.ts';
import type { Payer } from '#payments/payments/payer.ts';

/**
 * The payer's data in forms that processors document. None of it is needed for a charge, so what cannot be brought into the form is left out:
 * a processor that refuses it refuses the sale.
 */

type Address = NonNullable<Payer['address']>;

const ukPostcode = /^[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}\b/i;

/**
 * A postal code without what autofill, masks and people add to it: `62704-1234` for `627041234` and `29486` for `29486 - ____`. `longest`:
 * in letters and digits. Undefined if that leaves none.
 */
export const cleanPostcode = ({ postcode, country }: Address, longest: number): string | undefined => {
  const text = postcode.normalize('NFKC');
  if (country === 'US') {
    const [, zip, plus] = /^\D*(\d{5})(?:\D?(\d{4}))?(?!\d)/.exec(text) ?? [];
    return zip && (plus ? `${zip}-${plus}` : zip);
  }
  const clean = text
    .replace(/[^a-z\d -]/gi, '')
    .replace(/ +/g, ' ')
    .replace(/^[ -]+|[ -]+$/g, '');
  const [known = clean] = country === 'GB' ? (ukPostcode.exec(clean) ?? []) : [];
  const size = known.replace(/[ -]/g, '').length;
  return size > 0 && size <= longest ? known : undefined;
};

/** The code of a state where processors take only codes, which are of two letters in the US and Canada; undefined if it is none. */
export const stateCode = ({ state, country }: Address): string | undefined => {
  const pattern = country === 'US' || country === 'CA' ? /^[A-Z]{2}$/ : /^[A-Z\d]{1,3}$/;
  const code = state.trim().toUpperCase();
  return pattern.test(code) ? code : undefined;
};

/** A telephone number without its extension and punctuation, `+` and digits; undefined unless it begins with its calling code. */
export const internationalPhone = (phone: string | null): string | undefined => {
  const digits = cleanPhone(phone);
  return digits !== undefined && /^\+[1-9]\d{6,14}$/.test(digits) ? digits : undefined;
};

/** The same of any number: digits, with a `+` where it has one, up to a word behind them. At most 15 digits (E.164). */
export const cleanPhone = (phone: string | null): string | undefined => {
  const text = (phone ?? '').normalize('NFKC').trim();
  const [main = ''] = text.split(/(?<=\d[^\p{L}]*)\p{L}|[#;,]|(?<=\d) *\((?=[^)\d])/u);
  const digits = main
    .replace(/\(0\)/, '')
    .replace(/[^\d+]/g, '')
    .replace(/(?!^)\+/g, '')
    .replace(/^00/, '+');
  return /^\+?\d{5,15}$/.test(digits) ? digits : undefined;
};

/** An address that every mail server takes; undefined for others, such as those of Japanese providers with two dots in a row. */
export const plainEmail = (email: string | null): string | undefined =>
  email !== null && isAddress(email) ? email : undefined;

/** The fields of a call that a processor may refuse, by the words with which processors name them. */
const refusable = [
  [/postal[ _]?code|\bzip\b/i, 'postcode'],
  [/state|province|region/i, 'state'],
  [/country/i, 'country'],
  [/\bcity\b|locality/i, 'suburb_city'],
  [/street|address_?1|line_?1|house/i, 'address'],
  [/phone/i, 'phone'],
  [/e-?mail/i, 'email'],
  [/first_?name/i, 'firstname'],
  [/last_?name/i, 'lastname'],
  [/holder_?name/i, 'card_name'],
] as const;
export type RefusedField = (typeof refusable)[number][1];

/** Returns the field of the call that a processor's sentence or parameter is about; undefined if it names none. */
export const refusedFieldIn = (words: string): RefusedField | undefined =>
  refusable.find(([pattern]) => pattern.test(words))?.[1];
