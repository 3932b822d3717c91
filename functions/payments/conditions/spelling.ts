import { exponentOf } from '#core/kernel/money/money.ts';
import type { ConditionProblem, Spelling } from './condition-reader.ts';

/** How texts of conditions are written so that a fact can have them. A text that no fact can have is a problem: `notEqual` would always hold. */

const problem = (words: string): ConditionProblem => ({ problem: words });

/** One of a few values, in any case; for `startsWith`, the beginning of one. */
export const oneWordOf =
  (values: readonly string[]): Spelling =>
  (text, operator) => {
    const wanted = text.trim().toLowerCase();
    const isFound = (value: string) =>
      operator === 'startsWith'
        ? wanted !== '' && value.toLowerCase().startsWith(wanted)
        : value.toLowerCase() === wanted;
    const found = values.find(isFound);
    return found === undefined ? problem(`must be one of ${values.join(', ')}`) : found.slice(0, wanted.length);
  };

/** A code in upper case; for `startsWith`, the beginning of one. */
const codeSpelling =
  (length: number, isKnown: (code: string) => boolean, words: string): Spelling =>
  (text, operator) => {
    const code = text.trim().toUpperCase();
    const isBeginning = operator === 'startsWith' && code.length < length && /^[A-Z]+$/.test(code);
    return isBeginning || isKnown(code) ? code : problem(words);
  };

export const currencyCode = codeSpelling(
  3,
  (code) => exponentOf(code) !== undefined,
  'must be a currency code of ISO 4217, such as USD',
);

export const countryCode = codeSpelling(
  2,
  (code) => /^[A-Z]{2}$/.test(code),
  'must be a country code of two letters, such as US',
);

/** The first digits of card numbers: six are kept of each, and compared. */
export const cardBin: Spelling = (text, operator) => {
  const digits = text.replace(/[ -]/g, '');
  const isShort = operator !== 'startsWith' && digits.length < 6;
  return !/^\d{1,8}$/.test(digits) || isShort
    ? problem('must be the first six digits of card numbers')
    : digits.slice(0, 6);
};

/** Any text; `startsWith` needs some, as everything begins with none. */
export const anyText =
  (canonical: (text: string) => string = (text) => text.trim()): Spelling =>
  (text, operator) => {
    const spelled = canonical(text);
    return spelled === '' && operator === 'startsWith' ? problem('must not be empty') : spelled;
  };
