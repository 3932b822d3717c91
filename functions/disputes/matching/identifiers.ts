import { passesLuhn } from '#core/kernel/card/luhn.ts';

/** Which numbers of an alert or a charge identify a payment. Pure. */

/**
 * An acquirer reference number that identifies a payment; undefined for anything else: an ARN has 23 digits, the last of which is the
 * check digit of the others, and issuers fill the field with one repeated digit where they have none.
 */
export const identifyingArn = (text: string | null): string | undefined => {
  const stated = statedArn(text);
  return stated !== undefined && passesLuhn(stated) ? stated : undefined;
};

/** A number in the form of an ARN. With a wrong check digit it identifies no payment, but two that differ are of two payments. */
export const statedArn = (text: string | null): string | undefined =>
  text !== null && /^\d{23}$/.test(text) && !isFiller(text) ? text : undefined;

/**
 * An authorization code in the form in which codes are compared: upper case, with the leading zeros that some systems drop. Undefined
 * if the text is empty or a filler.
 */
export const comparableAuthCode = (text: string | null): string | undefined => {
  const stated = (text ?? '').trim().toUpperCase();
  const code = stated.padStart(authCodeLength, '0');
  return noCode.test(code) || noCode.test(stated) ? undefined : code;
};

/** Fillers of systems that have no code. Any other repeated digit may be a code. */
const noCode = /^(?:0+|9{6,}|X{6,}|N\W?A\W?|NONE|NULL|NIL|UNDEFINED|UNKNOWN|\W+)$/;

const authCodeLength = 6;

/** `00000000000000000000000`. */
const isFiller = (text: string): boolean => new Set(text).size === 1;
