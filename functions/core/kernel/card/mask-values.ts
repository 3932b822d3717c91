import { holdsCardNumber, maskIssuedCards, shortestIssued } from './card-numbers.ts';

type Options = {
  /** Names of fields that stay as they are. */
  spared?: ReadonlySet<string>;
  /** Masks numbers too, which become text. Sums and identifiers of ours may have as many digits. */
  numbers?: boolean;
};

/** A copy of plain data with every card number in its names and texts masked, at any depth; the same data if there is none. */
export const maskCardsIn = <T>(value: T, options: Options = {}): T =>
  // Texts become texts; numbers are masked only where the caller's type allows any value.
  maskValue(value, options) as T;

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
  // Sets and bytes hold no text of callers.
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return maskFields(Object.entries(value), options) ?? value;
};

/** Undefined if nothing has to be masked. */
const maskFields = (fields: readonly [string, unknown][], options: Options): object | undefined => {
  const masked = fields.map(([name, value]): [string, unknown] => [
    maskIssuedCards(name),
    options.spared?.has(name) ? value : maskValue(value, options),
  ]);
  const isChanged = masked.some(([name, value], index) => name !== fields[index]?.[0] || value !== fields[index]?.[1]);
  return isChanged ? Object.fromEntries(masked) : undefined;
};
