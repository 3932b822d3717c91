import { Refusal } from '../operation/errors.ts';

/** What a JSON text says; undefined if it is not JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const plainNumber = /^(?!-0(?:\.0*)?$)-?\d+(?:\.\d+)?$/;
/** How many digits a double always holds exactly (IEEE 754: DBL_DIG). */
const mostDigits = 15;
const deepest = 32;

const isExact = (source: string): boolean => plainNumber.test(source) && source.replace(/\D/g, '').length <= mostDigits;

/**
 * A reviver for JSON.parse: a number that is written in any way but plain digits (`1e3`), or too long to be held exactly
 * (a 19-digit `card_no`), stays text, so that the schema sees what was really sent.
 */
export const keepNumberText = (_key: string, value: unknown, context?: { source?: string }): unknown => {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && !isExact(source) ? source : value;
};

/** A name under which an object would get another prototype where it is copied carelessly. */
const forbidden = '__proto__';

/**
 * A body of JSON, its numbers as they were written (see keepNumberText). Refuses invalid JSON (request_invalid) and never
 * repeats it.
 */
export const readJson = (text: string): unknown => {
  try {
    // The third argument has the source: a wrapper that hands on two loses the digits.
    return JSON.parse(text, (key: string, value: unknown, context?: { source?: string }) => {
      if (key === forbidden) throw new SyntaxError(`A key is named ${forbidden}`);
      return keepNumberText(key, value, context);
    });
  } catch {
    throw new Refusal('request_invalid', 'body: is not valid JSON, or nests more than 32 levels deep.');
  }
};

/** True if arrays and objects nest more than 32 deep. Looks no deeper than that. */
export const isTooDeep = (value: unknown, depth = 0): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (depth >= deepest) return true;
  return Object.values(value).some((entry) => isTooDeep(entry, depth + 1));
};
