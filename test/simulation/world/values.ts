import { type Item, ValidationException } from './expressions.ts';

/** What DynamoDB takes for one item. */
export const mostItemBytes = 400 * 1024;

/** Whole numbers are written exactly, and read back as numbers: where one would not survive that, the client throws too. */
export const numberOf = (value: bigint): number => {
  if (!Number.isSafeInteger(Number(value))) throw new TypeError(`${value} does not come back as a number`);
  return Number(value);
};

let bytes = 0;

const copyOf = (value: unknown): unknown => {
  switch (typeof value) {
    case 'string':
      bytes += value.length;
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw new ValidationException(`${value} is no number`);
      bytes += 8;
      return value;
    case 'bigint':
      return copyOf(numberOf(value));
    case 'boolean':
      bytes += 1;
      return value;
    case 'object':
      return value === null ? null : copyOfObject(value);
    default:
      throw new TypeError(`The document client takes no ${typeof value}`);
  }
};

const copyOfObject = (value: object): unknown => {
  if (Array.isArray(value)) return Object.freeze(value.filter((one) => one !== undefined).map(copyOf));
  if (value instanceof Set) {
    if (value.size === 0) throw new TypeError('The document client takes no empty set');
    measure(value);
    return new Set(value);
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new TypeError('The document client takes no classes');
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const one = (value as Item)[name];
    if (one === undefined) continue;
    bytes += name.length;
    copy[name] = copyOf(one);
  }
  return Object.freeze(copy);
};

/** Counts what the table has already. */
const measure = (value: unknown): void => {
  if (typeof value === 'string') bytes += value.length;
  else if (typeof value === 'number') bytes += 8;
  else if (typeof value === 'boolean') bytes += 1;
  else if (value instanceof Set) for (const one of value) bytes += String(one).length;
  else if (Array.isArray(value)) for (const one of value) measure(one);
  else if (typeof value === 'object' && value !== null) {
    for (const name of Object.keys(value)) {
      bytes += name.length;
      measure((value as Item)[name]);
    }
  }
};

const sized = (copy: Item): Item => {
  if (bytes > mostItemBytes) throw new ValidationException('Item size has exceeded the maximum allowed size');
  return copy;
};

/**
 * A copy as the table keeps it: without what is undefined, and frozen, so that readers can be given the very rows. Whoever changed
 * one would throw.
 */
export const kept = (value: object): Item => {
  bytes = 0;
  return sized(copyOf(value) as Item);
};

/** The same of an item that an update made of another one: what that has already is not copied again. */
export const keptUpdate = (value: Item, before: Item): Item => {
  bytes = 0;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const one = value[name];
    bytes += name.length;
    if (one === before[name]) {
      measure(one);
      copy[name] = one;
    } else copy[name] = copyOf(one);
  }
  return sized(Object.freeze(copy));
};
