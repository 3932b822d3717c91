/** Numbers of JSON texts as they were sent. For functions and browsers: it imports nothing. */

const plainNumber = /^(?!-0(?:\.0*)?$)-?\d+(?:\.\d+)?$/;
/** The number of digits that a double always holds exactly (IEEE 754: DBL_DIG). */
const maxDigits = 15;

const isExact = (source: string): boolean => plainNumber.test(source) && source.replace(/\D/g, '').length <= maxDigits;

/**
 * A reviver for JSON.parse: a number that is written in any way but plain digits (`1e3`), or too long to be held exactly
 * (a 19-digit `card_no`), stays text, so that the schema sees what was really sent.
 */
export const keepNumberText = (_key: string, value: unknown, context?: { source?: string }): unknown => {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && !isExact(source) ? source : value;
};
