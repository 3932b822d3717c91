const plainNumber = /^-?\d{1,15}(?:\.\d+)?$/;
const deepest = 32;

/**
 * A reviver for JSON.parse: a number that is written in any way but plain digits (`1e3`), or too long to be held exactly
 * (a 19-digit `card_no`), stays the text it was, so that the schema sees what was really sent.
 */
export const keepNumberText = (_key: string, value: unknown, context?: { source?: string }): unknown => {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && !plainNumber.test(source) ? source : value;
};

/** True if arrays and objects nest more than 32 deep. Looks no deeper than that. */
export const isTooDeep = (value: unknown, depth = 0): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (depth >= deepest) return true;
  return Object.values(value).some((entry) => isTooDeep(entry, depth + 1));
};
