/**
 * DynamoDB's expressions, as far as this project writes them and a little further, over plain values as the document client takes
 * them. Held against the emulator by `test/simulation/dynamo.test.ts`.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.html
 */

export type Item = Readonly<Record<string, unknown>>;
export type Placeholders = { names: Readonly<Record<string, string>>; values: Readonly<Record<string, unknown>> };
type Path = readonly (string | number)[];
type Operand = (item: Item, placeholders: Placeholders) => unknown;
export type Condition = (item: Item, placeholders: Placeholders) => boolean;
/** A change of one path: what becomes of it, worked out on the item as it was. */
type Change = { path: Path; verb: 'SET' | 'REMOVE' | 'ADD' | 'DELETE'; operand: Operand };

const nothing: Operand = () => undefined;

/** A validation error of DynamoDB. */
export class ValidationException extends Error {
  override readonly name = 'ValidationException';
}

const tokenPattern = /\s*(<>|<=|>=|[()[\],.=<>+-]|[#:]?[A-Za-z_][\w-]*|\d+)/gy;

class Tokens {
  private readonly list: readonly string[];
  private position = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
    this.list = [...text.matchAll(tokenPattern)].map(([, token = '']) => token);
    if (this.list.join('') !== text.replaceAll(/\s/g, '')) throw new ValidationException(`Cannot read "${text}"`);
  }
  get next(): string | undefined {
    return this.list[this.position];
  }
  take(): string {
    const token = this.next;
    if (token === undefined) throw new ValidationException(`"${this.text}" ends too early`);
    this.position += 1;
    return token;
  }
  skip(expected: string): boolean {
    if (this.next?.toUpperCase() !== expected) return false;
    this.position += 1;
    return true;
  }
  expect(expected: string): void {
    if (!this.skip(expected)) throw new ValidationException(`"${this.text}" has no ${expected} before ${this.next}`);
  }
  expectEnd(): void {
    if (this.next !== undefined) throw new ValidationException(`"${this.text}" goes on with ${this.next}`);
  }
}

const realName = (part: string | number, { names }: Placeholders): string | number => {
  if (typeof part === 'number' || !part.startsWith('#')) return part;
  const name = names[part];
  if (name === undefined) throw new ValidationException(`No name is given for ${part}`);
  return name;
};

const child = (value: unknown, name: string | number): unknown => {
  if (value === null || typeof value !== 'object' || value instanceof Set) return undefined;
  if (Array.isArray(value)) return typeof name === 'number' ? value[name] : undefined;
  return typeof name === 'string' && Object.hasOwn(value, name) ? (value as Item)[name] : undefined;
};

const valueAt = (item: Item, path: Path, placeholders: Placeholders): unknown =>
  path.reduce<unknown>((value, part) => child(value, realName(part, placeholders)), item);

const readPath = (tokens: Tokens): Path => {
  const path: (string | number)[] = [tokens.take()];
  for (;;) {
    if (tokens.skip('.')) path.push(tokens.take());
    else if (tokens.skip('[')) {
      path.push(Number(tokens.take()));
      tokens.expect(']');
    } else return path;
  }
};

const typeLetter = (value: unknown): string => {
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return 'L';
  if (value instanceof Set) return typeof [...value][0] === 'number' ? 'NS' : 'SS';
  if (value instanceof Uint8Array) return 'B';
  return { string: 'S', number: 'N', boolean: 'BOOL', object: 'M' }[typeof value as 'string'] ?? typeof value;
};

/** Checks whether two values are the same to DynamoDB. */
export const isEqual = (left: unknown, right: unknown): boolean => {
  if (left === right) return left !== undefined;
  const type = typeLetter(left);
  if (type !== typeLetter(right) || typeof left !== 'object' || left === null || right === null) return false;
  if (left instanceof Set && right instanceof Set) {
    return left.size === right.size && [...left].every((one) => right.has(one));
  }
  const [first, second] = [left as Item, right as Item];
  const keys = Object.keys(first);
  return keys.length === Object.keys(second).length && keys.every((key) => isEqual(first[key], second[key]));
};

/** Where a unit of UTF-16 stands among the others by its UTF-8 bytes: surrogates, which stand for what is beyond the rest, come last. */
const rankUnit = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);

const compareTexts = (left: string, right: string): number => {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const [first, second] = [left.charCodeAt(index), right.charCodeAt(index)];
    if (first !== second) return rankUnit(first) - rankUnit(second);
  }
  return left.length - right.length;
};

/** Below, equal or above zero; undefined for what cannot be compared. Texts compare by their UTF-8 bytes. */
export const compare = (left: unknown, right: unknown): number | undefined => {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left !== 'string' || typeof right !== 'string') return undefined;
  return compareTexts(left, right);
};

const placeholder = (token: string): Operand => {
  return (_, { values }) => {
    if (!Object.hasOwn(values, token)) throw new ValidationException(`No value is given for ${token}`);
    return values[token];
  };
};

const attributeSize = (value: unknown): number | undefined => {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (Array.isArray(value)) return value.length;
  if (value instanceof Set) return value.size;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined;
};

const readOperand = (tokens: Tokens): Operand => {
  if (tokens.next?.startsWith(':')) return placeholder(tokens.take());
  if (tokens.next === 'size') {
    tokens.take();
    tokens.expect('(');
    const path = readPath(tokens);
    tokens.expect(')');
    return (item, given) => attributeSize(valueAt(item, path, given));
  }
  const path = readPath(tokens);
  return (item, given) => valueAt(item, path, given);
};

const comparisons: Readonly<Record<string, (left: unknown, right: unknown) => boolean>> = {
  '=': isEqual,
  '<>': (left, right) => !isEqual(left, right),
  '<': (left, right) => (compare(left, right) ?? 0) < 0,
  '<=': (left, right) => (compare(left, right) ?? 1) <= 0,
  '>': (left, right) => (compare(left, right) ?? 0) > 0,
  '>=': (left, right) => (compare(left, right) ?? -1) >= 0,
};

const contains = (whole: unknown, part: unknown): boolean => {
  if (typeof whole === 'string') return typeof part === 'string' && whole.includes(part);
  if (whole instanceof Set) return whole.has(part);
  return Array.isArray(whole) && whole.some((one) => isEqual(one, part));
};

const startsWith = (text: unknown, start: unknown): boolean =>
  typeof text === 'string' && typeof start === 'string' && text.startsWith(start);

const functionsOfTwo: Readonly<Record<string, (left: unknown, right: unknown) => boolean>> = {
  begins_with: startsWith,
  contains,
  attribute_type: (value, type) => value !== undefined && typeLetter(value) === type,
};

const readFunction = (tokens: Tokens): Condition | undefined => {
  const name = tokens.next ?? '';
  if (name === 'attribute_exists' || name === 'attribute_not_exists') {
    tokens.take();
    tokens.expect('(');
    const path = readPath(tokens);
    tokens.expect(')');
    const wanted = name === 'attribute_exists';
    return (item, given) => (valueAt(item, path, given) !== undefined) === wanted;
  }
  const test = functionsOfTwo[name];
  if (!test) return undefined;
  tokens.take();
  tokens.expect('(');
  const left = readOperand(tokens);
  tokens.expect(',');
  const right = readOperand(tokens);
  tokens.expect(')');
  return (item, given) => test(left(item, given), right(item, given));
};

const readComparison = (tokens: Tokens): Condition => {
  const left = readOperand(tokens);
  if (tokens.skip('BETWEEN')) {
    const low = readOperand(tokens);
    tokens.expect('AND');
    const high = readOperand(tokens);
    return (item, given) => {
      const value = left(item, given);
      return (compare(value, low(item, given)) ?? -1) >= 0 && (compare(value, high(item, given)) ?? 1) <= 0;
    };
  }
  if (tokens.skip('IN')) {
    tokens.expect('(');
    const list = [readOperand(tokens)];
    while (tokens.skip(',')) list.push(readOperand(tokens));
    tokens.expect(')');
    return (item, given) => list.some((one) => isEqual(left(item, given), one(item, given)));
  }
  const test = comparisons[tokens.take()];
  if (!test) throw new ValidationException('There is no such comparison');
  const right = readOperand(tokens);
  return (item, given) => test(left(item, given), right(item, given));
};

const readSingle = (tokens: Tokens): Condition => {
  if (tokens.skip('NOT')) {
    const denied = readSingle(tokens);
    return (item, given) => !denied(item, given);
  }
  if (!tokens.skip('(')) return readFunction(tokens) ?? readComparison(tokens);
  const inner = readEither(tokens);
  tokens.expect(')');
  return inner;
};

const readAll = (tokens: Tokens): Condition => {
  const parts = [readSingle(tokens)];
  while (tokens.skip('AND')) parts.push(readSingle(tokens));
  return (item, given) => parts.every((part) => part(item, given));
};

const readEither = (tokens: Tokens): Condition => {
  const parts = [readAll(tokens)];
  while (tokens.skip('OR')) parts.push(readAll(tokens));
  return (item, given) => parts.some((part) => part(item, given));
};

/** Each text is read once. */
const remember = <T>(read: (tokens: Tokens) => T): ((text: string) => T) => {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const tokens = new Tokens(text);
    const made = read(tokens);
    tokens.expectEnd();
    known.set(text, made);
    return made;
  };
};

/** A condition, or a key condition, as a function of the item; an item that is not there is an empty one. */
export const conditionOf = remember(readEither);

const keyEquality = /^\s*([#\w]+)\s*=\s*(:\w+)/;
/** The value that a key condition wants of its partition key: whoever writes one begins with it. */
export const readPartition = (text: string, attribute: string, { names, values }: Placeholders): string => {
  const [, name = '', value = ''] = keyEquality.exec(text) ?? [];
  if ((names[name] ?? name) !== attribute) throw new ValidationException(`"${text}" does not begin with ${attribute}`);
  return String(values[value]);
};

const readTerm = (tokens: Tokens): Operand => {
  const name = tokens.next;
  if (name !== 'if_not_exists' && name !== 'list_append') return readOperand(tokens);
  tokens.take();
  tokens.expect('(');
  const left = readTerm(tokens);
  tokens.expect(',');
  const right = readTerm(tokens);
  tokens.expect(')');
  if (name === 'if_not_exists') return (item, given) => left(item, given) ?? right(item, given);
  return (item, given) => [...asList(left(item, given)), ...asList(right(item, given))];
};

const asNumber = (value: unknown): number => {
  if (typeof value !== 'number') throw new ValidationException('An operand has a wrong type');
  return value;
};

const asList = (value: unknown): readonly unknown[] => {
  if (!Array.isArray(value)) throw new ValidationException('An operand has a wrong type');
  return value;
};

const readAssigned = (tokens: Tokens): Operand => {
  const left = readTerm(tokens);
  const sign = tokens.skip('+') ? 1 : tokens.skip('-') ? -1 : 0;
  if (sign === 0) return left;
  const right = readTerm(tokens);
  return (item, given) => asNumber(left(item, given)) + sign * asNumber(right(item, given));
};

const verbs = ['SET', 'REMOVE', 'ADD', 'DELETE'] as const;

const readChange = (tokens: Tokens, verb: (typeof verbs)[number]): Change => {
  const path = readPath(tokens);
  if (verb === 'REMOVE') return { path, verb, operand: nothing };
  if (verb === 'SET') tokens.expect('=');
  return { path, verb, operand: verb === 'SET' ? readAssigned(tokens) : readOperand(tokens) };
};

const changesOf = remember((tokens) => {
  const changes: Change[] = [];
  while (tokens.next !== undefined) {
    const verb = verbs.find((one) => tokens.skip(one));
    if (!verb) throw new ValidationException(`An update cannot go on with ${tokens.next}`);
    do changes.push(readChange(tokens, verb));
    while (tokens.skip(','));
  }
  return changes;
});

/** A set of the same type; none is an empty one. */
const setLike = (other: Set<unknown>, value: unknown = new Set()): Set<unknown> => {
  if (value instanceof Set && (value.size === 0 || typeLetter(value) === typeLetter(other))) return value;
  throw new ValidationException('An operand in the update expression has an incorrect data type');
};

const add = (before: unknown, more: unknown): unknown => {
  if (typeof more === 'number') return before === undefined ? more : asNumber(before) + more;
  if (!(more instanceof Set)) throw new ValidationException('ADD takes numbers and sets');
  return new Set([...setLike(more, before), ...more]);
};

const without = (before: unknown, less: unknown): unknown => {
  if (!(less instanceof Set)) throw new ValidationException('DELETE takes sets');
  const left = new Set([...setLike(less, before)].filter((one) => !less.has(one)));
  return left.size > 0 ? left : undefined;
};

/** A copy of what a path goes through, to be changed. */
const copyMap = (value: unknown): Record<string | number, unknown> => {
  if (typeof value !== 'object' || value === null || value instanceof Set) {
    throw new ValidationException('The document path is not valid for the update');
  }
  // A list is known by its positions, as a map is by its names.
  return (Array.isArray(value) ? [...value] : { ...value }) as Record<string | number, unknown>;
};

const setWithin = (parent: Record<string | number, unknown>, name: string | number, becomes: unknown): void => {
  if (Array.isArray(parent)) {
    if (becomes === undefined) parent.splice(Number(name), 1);
    else parent[Math.min(Number(name), parent.length)] = becomes;
  } else if (becomes === undefined) delete parent[name];
  else parent[name] = becomes;
};

/** Puts something else at a path; everything on the way there is new, but for the item itself, and the rest is shared. */
const replace = (item: Record<string | number, unknown>, names: Path, becomes: unknown): void => {
  let parent = item;
  for (const name of names.slice(0, -1)) {
    const found = child(parent, name);
    if (found === undefined) throw new ValidationException('The document path is not valid for the update');
    const copy = copyMap(found);
    setWithin(parent, name, copy);
    parent = copy;
  }
  setWithin(parent, names.at(-1) ?? '', becomes);
};

/** Returns the new value of a path; undefined: it is removed. */
const newValue = (verb: Change['verb'], before: unknown, given: unknown): unknown => {
  if (verb === 'SET') return given;
  if (verb === 'ADD') return add(before, given);
  return verb === 'DELETE' ? without(before, given) : undefined;
};

/** The item after an update; each part is worked out on the item as it was before. */
export const update = (item: Item, text: string, placeholders: Placeholders): Item => {
  const after = copyMap(item);
  for (const { path, verb, operand } of changesOf(text)) {
    const before = valueAt(item, path, placeholders);
    const given = operand(item, placeholders);
    if (verb === 'SET' && given === undefined) throw new ValidationException('An operand is not there');
    if ((verb === 'REMOVE' || verb === 'DELETE') && before === undefined) {
      newValue(verb, before, given);
      continue;
    }
    const names = path.map((part) => realName(part, placeholders));
    replace(after, names, newValue(verb, before, given));
  }
  return after;
};
