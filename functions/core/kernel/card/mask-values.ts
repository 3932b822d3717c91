import { holdsCardNumber, maskIssuedCards, shortestIssued } from './card-numbers.ts';

type Options = {
  /** Fields that are not masked. */
  spared?: RegExp;
  /** Also masks numbers, which become text. Sums and Forewarn's own identifiers can have as many digits. */
  numbers?: boolean;
};

/** A copy of plain data with every card number in its names and texts masked, at any depth; the same data if there is none. */
export const maskCardsIn = <T>(value: T, options: Options = {}): T =>
  // Texts become texts; numbers are masked only where the caller's type allows any value.
  maskValue(value, options) as T;

/**
 * Keys, by which rows are found; sealed values; and references of processors and networks, which are sent back to them as they are and
 * which callers cannot set to a card number.
 */
const sparedNames = /^(?::?(?:pk|sk|sealed)|.*references?|network_?transaction_?id)$/i;

/** The same for rows and messages, except for what has to stay as it is to work. The second net behind the schemas' checks. */
export const maskBeforeWriting = <T>(value: T): T => maskCardsIn(value, { spared: sparedNames });

const maskValue = (value: unknown, options: Options): unknown => {
  if (typeof value === 'string') return maskIssuedCards(value);
  if (typeof value === 'number' && options.numbers) {
    return holdsCardNumber(String(value), shortestIssued) ? maskIssuedCards(String(value)) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const entries = value.map((one) => maskValue(one, options));
    return entries.some((one, index) => one !== value[index]) ? entries : value;
  }
  // Sets and bytes contain no text from callers.
  if (value instanceof Set || ArrayBuffer.isView(value)) return value;
  return maskFields(Object.entries(value), options) ?? value;
};

/** Returns undefined if there is nothing to mask. */
const maskFields = (fields: readonly [string, unknown][], options: Options): object | undefined => {
  const masked = fields.map(([name, value]): [string, unknown] => [
    maskIssuedCards(name),
    options.spared?.test(name) ? value : maskValue(value, options),
  ]);
  const isChanged = masked.some(([name, value], index) => name !== fields[index]?.[0] || value !== fields[index]?.[1]);
  return isChanged ? Object.fromEntries(masked) : undefined;
};
