import { maxNestingLevels } from '#lib/local/aws/table-limits.ts';
import { type Item, ValidationException } from './expressions.ts';

/** DynamoDB's limits for one item, and for one page. */
export const maxItemBytes = 400 * 1024;
const maxPageBytes = 1024 * 1024;
/** UTF-8 has no more bytes than this for what is one unit here. */
const maxBytesPerUnit = 3;

/** Whole numbers are written exactly, and read back as numbers: where one would not survive that, the client throws too. */
export const toNumber = (value: bigint): number => {
  if (!Number.isSafeInteger(Number(value))) throw new TypeError(`${value} does not come back as a number`);
  return Number(value);
};

let bytes = 0;
/** The maps and lists around the value that is copied. */
let levels = 0;
/** The most units of any row so far. */
let largest = 0;

const copyValue = (value: unknown): unknown => {
  switch (typeof value) {
    case 'string':
      bytes += value.length;
      return value;
    case 'number':
      if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) {
        throw new Error(`The document client takes no number such as ${value}`);
      }
      bytes += 8;
      return value;
    case 'bigint':
      return copyValue(toNumber(value));
    case 'boolean':
      bytes += 1;
      return value;
    case 'object':
      return value === null ? null : copyOfNested(value);
    default:
      throw new Error(`The document client takes no ${typeof value}`);
  }
};

const copyOfNested = (value: object): unknown => {
  levels += 1;
  if (levels > maxNestingLevels) throw new ValidationException('Nesting Levels have exceeded supported limits');
  const copy = copyOfObject(value);
  levels -= 1;
  return copy;
};

const copyOfObject = (value: object): unknown => {
  if (Array.isArray(value)) return Object.freeze(value.filter((one) => one !== undefined).map(copyValue));
  if (value instanceof Set) {
    if (value.size === 0) throw new Error('The document client takes no empty set');
    measure(value);
    return new Set(value);
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new Error('The document client takes no classes');
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const one = (value as Item)[name];
    if (one === undefined) continue;
    bytes += name.length;
    copy[name] = copyValue(one);
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

const checkSize = (copy: Item): Item => {
  if (bytes > largest) largest = bytes;
  if (bytes * maxBytesPerUnit > maxItemBytes && valueBytes(copy) > maxItemBytes) {
    throw new ValidationException('Item size has exceeded the maximum allowed size');
  }
  return copy;
};

/** The size of a row that was not written here is taken note of. */
export const measureRow = (row: Item): void => {
  bytes = 0;
  measure(row);
  checkSize(row);
};

const valueBytes = (value: unknown): number => {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return 1 + Math.ceil(String(value).length / 2);
  if (typeof value !== 'object' || value === null) return 1;
  if (value instanceof Set) return [...value].reduce<number>((sum, one) => sum + valueBytes(one), 3);
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + 1 + valueBytes(one), 3);
  return Object.entries(value).reduce((sum, [name, one]) => sum + 1 + Buffer.byteLength(name) + valueBytes(one), 3);
};

/** Checks whether something has more bytes than that; they are counted exactly where it may be. */
export const exceeds = (value: unknown, most: number): boolean => {
  bytes = 0;
  measure(value);
  return bytes * maxBytesPerUnit > most && valueBytes(value) > most;
};

/** Returns the first rows, as many as DynamoDB shows on one page; counting is rarely necessary. */
export const whatFits = (rows: readonly Item[]): readonly Item[] => {
  if (rows.length * largest * maxBytesPerUnit <= maxPageBytes) return rows;
  let size = 0;
  const first = rows.findIndex((row) => {
    size += valueBytes(row);
    return size > maxPageBytes;
  });
  return first === -1 ? rows : rows.slice(0, first);
};

/**
 * A copy as the table keeps it: without what is undefined, and frozen, so that readers can be given the very rows. Whoever changed
 * one would throw.
 */
export const keep = (value: object): Item => {
  bytes = 0;
  levels = 0;
  return checkSize(copyValue(value) as Item);
};

/** The same of an item that an update made of another one: what that has already is not copied again. */
export const keptUpdate = (value: Item, before: Item): Item => {
  bytes = 0;
  levels = 1;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const one = value[name];
    bytes += name.length;
    if (one === before[name]) {
      measure(one);
      copy[name] = one;
    } else copy[name] = copyValue(one);
  }
  return checkSize(Object.freeze(copy));
};
