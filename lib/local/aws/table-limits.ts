import { unmarshall } from '@aws-sdk/util-dynamodb';
import { isFields } from '#core/kernel/is-object.ts';
import type { Judge } from './access.ts';
import type { TableDefinition } from './table-definition.ts';

/**
 * DynamoDB's limits on requests that the emulator does not enforce, or the table in memory does not; docs/simulation.md lists all.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
const maxPartitionKeyBytes = 2048;
const maxSortKeyBytes = 1024;
/** Maps and lists within each other, the item itself included. */
export const maxNestingLevels = 32;
const maxAttributeNameBytes = 64 * 1024;
const maxInOperands = 100;
const maxOperators = 300;
const maxPlaceholderBytes = 255;
const maxSubstitutionBytes = 2 * 1024 * 1024;
const maxTokenLength = 36;
const minMagnitude = 1e-130;

type Fields = Readonly<Record<string, unknown>>;
/** A request, or a part of a transaction or a batch, with values as the document client has them. */
type Part = {
  readonly Key?: Fields;
  readonly Item?: Fields;
  readonly ExclusiveStartKey?: Fields;
  readonly IndexName?: string;
  readonly KeyConditionExpression?: string;
  readonly ConditionExpression?: string;
  readonly FilterExpression?: string;
  readonly UpdateExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Fields;
};
type Batch = readonly Readonly<Record<string, Part>>[] | { readonly Keys: readonly Fields[] };
type Request = Part & {
  readonly ClientRequestToken?: string;
  readonly TransactItems?: readonly Readonly<Record<string, Part>>[];
  readonly RequestItems?: Readonly<Record<string, Batch>>;
};

type Keyed = Pick<TableDefinition, 'KeySchema'>;
type TableKeys = Keyed & { readonly GlobalSecondaryIndexes: readonly Keyed[] };

/** Throws what DynamoDB answers to a request that exceeds one of its limits. */
export type TableLimits = (request: Request) => void;

const check = (isRight: boolean, message: string, name = 'ValidationException'): void => {
  if (!isRight) throw Object.assign(new Error(message), { name });
};

/** The limits of the table that a definition describes: they depend on which attributes are keys. */
export const tableLimitsOf = (table: TableKeys): TableLimits => {
  const keys = [table.KeySchema, ...table.GlobalSecondaryIndexes.map(({ KeySchema }) => KeySchema)].flat();
  const maxBytes = new Map(
    keys.map((key) => [key.AttributeName, key.KeyType === 'HASH' ? maxPartitionKeyBytes : maxSortKeyBytes]),
  );
  return (request) => {
    check((request.ClientRequestToken ?? '').length <= maxTokenLength, 'ClientRequestToken has at most 36 characters');
    for (const one of request.TransactItems ?? []) {
      check(Object.keys(one).length === 1, 'TransactItems can only contain one of Check, Put, Update or Delete');
    }
    for (const part of requestParts(request)) checkPart(part, maxBytes);
  };
};

const partsOfBatch = (batch: Batch): Part[] =>
  'Keys' in batch ? batch.Keys.map((Key) => ({ Key })) : batch.flatMap((one) => Object.values(one));

const requestParts = (request: Request): Part[] => {
  const batched = Object.values(request.RequestItems ?? {}).flatMap(partsOfBatch);
  return [request, ...(request.TransactItems ?? []).flatMap((one) => Object.values(one)), ...batched];
};

type MaxBytes = ReadonlyMap<string, number>;

const checkPart = (part: Part, maxBytes: MaxBytes): void => {
  for (const given of [part.Key, part.Item, part.ExclusiveStartKey]) {
    if (!given) continue;
    checkValue(given, 1);
    for (const [name, max] of maxBytes) if (given[name] !== undefined) checkKey(name, given[name], max);
  }
  const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = part;
  checkValue(values, 1);
  checkSubstitutions(names, values);
  for (const text of [part.KeyConditionExpression, part.ConditionExpression, part.FilterExpression]) {
    checkExpression(text, countInText);
  }
  checkExpression(part.UpdateExpression, operatorsOfUpdate);
  for (const [name = '', ...used] of [...conditionsOfKeys(part), ...assignments(part)]) {
    const max = maxBytes.get(names[name] ?? name);
    for (const one of used) if (max !== undefined && one) checkKey(names[name] ?? name, values[one], max);
  }
};

const checkKey = (name: string, value: unknown, max: number): void => {
  check(typeof value === 'string', `Type mismatch for key ${name} expected: S`);
  check(value !== '', `The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`);
  check(Buffer.byteLength(String(value)) <= max, `Size of ${name} has exceeded ${max} bytes`);
};

const checkValue = (value: unknown, level: number): void => {
  if (typeof value === 'number') {
    check(value === 0 || !(Math.abs(value) < minMagnitude), 'Number underflow');
  } else if (value instanceof Set) checkSet([...value]);
  else if (Array.isArray(value) || isFields(value)) {
    check(level <= maxNestingLevels, 'Nesting Levels have exceeded supported limits');
    for (const [name, one] of Object.entries(value)) {
      check(name !== '' && name.length <= maxAttributeNameBytes, 'An attribute name has 1 to 65,536 bytes');
      checkValue(one, level + 1);
    }
  }
};

/** The client itself refuses sets that are empty. */
const checkSet = (set: readonly unknown[]): void => {
  check(new Set(set.map(String)).size === set.length, 'Input collection contains duplicates');
  const types = new Set(set.map((one) => (typeof one === 'bigint' ? 'number' : typeof one)));
  check(types.size <= 1 && !types.has('object'), 'A set has values of one type', 'SerializationException');
};

const checkSubstitutions = (names: Readonly<Record<string, string>>, values: Fields): void => {
  const placeholders = [...Object.keys(names), ...Object.keys(values)];
  check(
    placeholders.every((name) => name.length <= maxPlaceholderBytes),
    'A placeholder has at most 255 bytes',
  );
  check(valueBytes([names, values]) <= maxSubstitutionBytes, 'The substitution variables have more than 2 MB');
};

const valueBytes = (value: unknown): number => {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value instanceof Set) return valueBytes([...value]);
  if (typeof value !== 'object' || value === null) return 1;
  return Object.entries(value).reduce(
    (sum, [name, one]) => sum + (Array.isArray(value) ? 0 : name.length) + valueBytes(one),
    0,
  );
};

const words = /(?<![#:\w])(?:AND|OR|NOT|IN|BETWEEN)(?!\w)/gi;
const functions = /\b(?:attribute_\w+|begins_with|contains|size|if_not_exists|list_append)\s*\(/g;
const comparisons = /<>|<=|>=|[=<>]/g;
const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** The AND of a BETWEEN does not count as an operator. */
const countInText = (text: string): number =>
  count(text, words) - count(text, /(?<![#:\w])BETWEEN(?!\w)/gi) + count(text, functions) + count(text, comparisons);

/** “SET a = :val1 + :val2 + :val3 contains two + operators.” */
const operatorsOfUpdate = (text: string): number => count(text, functions) + count(text, /\+|\s-\s/g);

const checkExpression = (text: string | undefined, countOperators: (text: string) => number): void => {
  // Shorter ones have neither: an operand or operator takes two characters.
  if (text === undefined || text.length < maxInOperands * 2) return;
  for (const [, operands = ''] of text.matchAll(/(?<![#:\w])IN\s*\(([^()]*)\)/gi)) {
    check(operands.split(',').length <= maxInOperands, 'The IN operator is provided with too many operands');
  }
  check(countOperators(text) <= maxOperators, 'The expression contains too many operators');
};

type Named = readonly (string | undefined)[];

/** The names in a key condition, each with the placeholders of its values. */
const conditionsOfKeys = ({ KeyConditionExpression: text = '' }: Part): Named[] =>
  [...text.matchAll(/(#?\w+)\s*(?:[=<>]+|,|BETWEEN\b)\s*(:\w+)(?:\s+AND\s+(:\w+))?/gi)].map(([, ...named]) => named);

/** The names that an update sets, each with the placeholder of its value. */
const assignments = ({ UpdateExpression: text = '' }: Part): Named[] =>
  [...text.matchAll(/(?<![.\w#])(#?\w+)\s*=\s*(:\w+)/g)].map(([, ...named]) => named);

/** The maps of values of a request in their wire format, put as the document client has them. */
const toPlain = (value: unknown, isValues = false): unknown => {
  if (Array.isArray(value)) return value.map((one) => toPlain(one, isValues));
  if (!isFields(value)) return value;
  if (isValues) return unmarshall(value as Parameters<typeof unmarshall>[0], { wrapNumbers: Number });
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toPlain(one, valueFields.has(name))]));
};
const valueFields = new Set(['Key', 'Keys', 'Item', 'ExclusiveStartKey', 'ExpressionAttributeValues']);

/** Judges the calls to the tables, so that the emulator refuses what DynamoDB refuses. */
export const judgeOfLimits = (definitions: readonly TableDefinition[]): Judge => {
  const limits = definitions.map(tableLimitsOf);
  return (target, _, bodyOf) => {
    if (!target.startsWith('DynamoDB_')) return undefined;
    try {
      const request = toPlain(bodyOf()) as Request;
      for (const one of limits) one(request);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  };
};
