import { indexNames } from '#core/platform/operation/grants.ts';
import { tableLimitsOf } from '#lib/local/aws/table-limits.ts';
import { ValidationException } from './expressions.ts';
import { reservedWords } from './reserved-words.ts';
import { exceeds, maxItemBytes } from './values.ts';

/**
 * The requests that DynamoDB refuses whatever the table holds: expressions that are not well formed, placeholders too many or too
 * few, invalid keys. The simulation leaves these checks out: it makes calls that the tests of every operation have made before
 * it. Compared with the emulator by `test/simulation/requests.test.ts`.
 */

type Fields = Readonly<Record<string, unknown>>;
type Request = Fields & {
  TableName?: string;
  Key?: Fields;
  Item?: Fields;
  IndexName?: string;
  Limit?: number;
  Select?: string;
  ExclusiveStartKey?: Fields;
  UpdateExpression?: string;
  ConditionExpression?: string;
  KeyConditionExpression?: string;
  ProjectionExpression?: string;
  ExpressionAttributeNames?: Readonly<Record<string, string>>;
  ExpressionAttributeValues?: Fields;
};

const onCondition = [
  'ConditionExpression',
  'ExpressionAttributeNames',
  'ExpressionAttributeValues',
  'ReturnValuesOnConditionCheckFailure',
];
/** The fields that the table in memory understands, by the name of the command, or of the part of a transaction. */
const understood: Readonly<Record<string, readonly string[]>> = {
  Get: ['TableName', 'Key', 'ConsistentRead'],
  Put: ['TableName', 'Item', ...onCondition],
  Update: ['TableName', 'Key', 'UpdateExpression', 'ReturnValues', ...onCondition],
  Delete: ['TableName', 'Key', ...onCondition],
  ConditionCheck: ['TableName', 'Key', ...onCondition],
  Query: [
    'TableName',
    'IndexName',
    'KeyConditionExpression',
    'ExpressionAttributeNames',
    'ExpressionAttributeValues',
    'ProjectionExpression',
    'ConsistentRead',
    'ScanIndexForward',
    'Limit',
    'Select',
    'ExclusiveStartKey',
  ],
  Scan: ['TableName', 'ExclusiveStartKey'],
};

const refuse = (message: string): never => {
  throw new ValidationException(message);
};

const check = (isRight: boolean, message: string): void => {
  if (!isRight) refuse(message);
};

const keySchema = (partition: string, sort: string) => [
  { AttributeName: partition, KeyType: 'HASH' as const },
  { AttributeName: sort, KeyType: 'RANGE' as const },
];
const sortKeyOf = (index: string): string => (index === 'due' ? 'dueSk' : 'listSk');
const checkLimits = tableLimitsOf({
  KeySchema: keySchema('pk', 'sk'),
  GlobalSecondaryIndexes: indexNames.map((name) => ({ KeySchema: keySchema(`${name}Pk`, sortKeyOf(name)) })),
});

/** Throws what DynamoDB would answer a request that is not well formed, or says that the table in memory does not know such a one. */
export const checkRequest = (tableName: string, command: string, input: Fields): void => {
  const verb = command.replace('Command', '');
  checkLimits(input);
  if (verb === 'TransactWrite') checkTransaction(tableName, input);
  else if (verb === 'BatchGet') checkBatch(tableName, input);
  else if (verb === 'BatchWrite') checkBatchWrite(tableName, input);
  else checkOne(tableName, verb, input);
};

const checkTransaction = (tableName: string, { TransactItems = [] }: { TransactItems?: Record<string, Request>[] }) => {
  check(TransactItems.length > 0, 'A transaction has at least one part');
  const parts = TransactItems.flatMap((one) => Object.entries(one));
  checkSizes(parts.map(([, part]) => part));
  for (const [verb, part] of parts) {
    if (verb === 'Update') check(part.UpdateExpression !== undefined, 'An update in a transaction says what it does');
    if (verb === 'ConditionCheck') check(part.ConditionExpression !== undefined, 'A check has a condition');
    checkOne(tableName, verb, part);
  }
};

const maxTransactionBytes = 4 * 1024 * 1024;

/** Checks the items that a transaction writes; the table checks the result of an update. */
const checkSizes = (parts: readonly Request[]): void => {
  const given = parts.map(({ Item, Key, ExpressionAttributeValues }) => Item ?? [Key, ExpressionAttributeValues]);
  if (!exceeds(given, maxItemBytes)) return;
  const isRight = parts.every(({ Item }) => !exceeds(Item, maxItemBytes));
  check(isRight, 'Item size has exceeded the maximum allowed size');
  check(
    !exceeds(given, maxTransactionBytes),
    'The aggregate size of the items in the transaction exceeds the 4MB limit',
  );
};

const checkBatch = (
  tableName: string,
  { RequestItems = {} }: { RequestItems?: Record<string, { Keys?: Fields[] } & Fields> },
) => {
  check(Object.keys(RequestItems).length > 0, 'A batch asks for something');
  for (const [table, { Keys = [], ConsistentRead: _, ...more }] of Object.entries(RequestItems)) {
    expectTable(tableName, table);
    expectUnderstood('BatchGet', more, []);
    check(Keys.length > 0, 'A batch has at least one key');
    for (const key of Keys) checkKey(key);
  }
};

const checkBatchWrite = (
  tableName: string,
  { RequestItems = {} }: { RequestItems?: Record<string, Record<string, Request>[]> },
) => {
  check(Object.keys(RequestItems).length > 0, 'A batch writes something');
  for (const [table, requests] of Object.entries(RequestItems)) {
    check(requests.length > 0, 'A batch has at least one write');
    for (const [verb, part] of requests.flatMap((one) => Object.entries(one))) {
      checkOne(tableName, verb.replace('Request', ''), { TableName: table, ...part });
    }
  }
};

const maxExpressionBytes = 4096;

const checkOne = (tableName: string, verb: string, request: Request): void => {
  expectTable(tableName, request.TableName);
  expectUnderstood(verb, request, understood[verb] ?? []);
  if (request.Key) checkKey(request.Key);
  checkPlaceholders(request);
  for (const text of listExpressions(request)) {
    check(text.length <= maxExpressionBytes, 'Expression size has exceeded the maximum allowed size');
    checkNames(text);
  }
  if (verb === 'Update') checkUpdate(request);
  if (verb === 'Query') checkQuery(request);
  const { ReturnValues } = request;
  if (ReturnValues !== undefined && ReturnValues !== 'ALL_NEW') expectUnderstood(verb, { ReturnValues }, []);
};

const expectTable = (name: string, given: unknown): void => {
  if (given === name) return;
  throw Object.assign(new Error('Requested resource not found'), { name: 'ResourceNotFoundException' });
};

const expectUnderstood = (verb: string, request: Fields, names: readonly string[]): void => {
  const strange = Object.keys(request).find((name) => request[name] !== undefined && !names.includes(name));
  if (strange === undefined) return;
  throw new Error(`The table in memory knows no ${strange} of ${verb}: teach it, or have the test call useEmulator()`);
};

const checkKey = (key: Fields): void =>
  check(
    Object.keys(key).length === 2 && ['pk', 'sk'].every((name) => typeof key[name] === 'string'),
    'The provided key element does not match the schema',
  );

const listExpressions = (request: Request): string[] =>
  [
    request.UpdateExpression,
    request.ConditionExpression,
    request.KeyConditionExpression,
    request.ProjectionExpression,
  ].filter((text) => text !== undefined);

const remember = <T>(make: (text: string) => T): ((text: string) => T) => {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text) ?? make(text);
    known.set(text, found);
    return found;
  };
};

const placeholdersIn = remember((text) => text.match(/[#:]\w+/g) ?? []);

/** Each placeholder stands somewhere, and stands for something. */
const checkPlaceholders = (request: Request): void => {
  const used = new Set(listExpressions(request).flatMap(placeholdersIn));
  const { ExpressionAttributeNames: names, ExpressionAttributeValues: values } = request;
  if (names) check(Object.keys(names).length > 0, 'ExpressionAttributeNames must not be empty');
  // The document client leaves out what is undefined.
  const present = values && Object.keys(values).filter((name) => values[name] !== undefined);
  if (present) check(present.length > 0, 'ExpressionAttributeValues must not be empty');
  const given = new Set([...Object.keys(names ?? {}), ...(present ?? [])]);
  for (const name of given) check(used.has(name), `Value provided unused in expressions: keys: {${name}}`);
  for (const name of used) check(given.has(name), `A placeholder used in expression is not defined: ${name}`);
};

const operators = new Set(['and', 'or', 'not', 'in', 'between', 'set', 'remove', 'add', 'delete']);

const reservedIn = remember((text): string | null => {
  const words = [...text.matchAll(/[#:]?\w+(?=\s*(\()?)/g)].filter(([word, call]) => !call && /^[a-z]/i.test(word));
  const names = words.map(([word]) => word.toLowerCase()).filter((word) => !operators.has(word));
  return names.find((word) => reservedWords.has(word)) ?? null;
});

const checkNames = (text: string): void => {
  const word = reservedIn(text);
  if (word !== null) refuse(`Attribute name is a reserved keyword; reserved keyword: ${word}`);
};

type Change = { verb: string; paths: string[] };

/** The sections of an update, each with the paths that it changes. */
const sectionsOf = remember((text): Change[] => {
  const parts = text.split(/(?<![#:.\w])(SET|REMOVE|ADD|DELETE)(?!\w)/i).slice(1);
  return parts.flatMap((verb, index) =>
    index % 2 === 1
      ? []
      : [{ verb: verb.toUpperCase(), paths: topLevel(parts[index + 1] ?? '').map((one) => changePath(one)) }],
  );
});

/** Splits at commas, except within parentheses. */
const topLevel = (text: string): string[] => text.split(/,(?![^(]*\))/);
const changePath = (change: string): string => /^[^\s=]+/.exec(change.trim())?.[0] ?? '';

const checkUpdate = ({ UpdateExpression: text, ExpressionAttributeNames: names = {} }: Request): void => {
  if (text === undefined) return;
  check(text.trim() !== '', 'The expression can not be empty');
  const sections = sectionsOf(text);
  const verbs = sections.map(({ verb }) => verb);
  check(new Set(verbs).size === verbs.length, 'A section can only be used once in an update expression');
  const paths = sections
    .flatMap((section) => section.paths)
    .map((path) => path.replaceAll(/#\w+/g, (name) => names[name] ?? ''));
  for (const [index, path] of paths.entries()) {
    check(path !== 'pk' && path !== 'sk', `Cannot update attribute ${path}. This attribute is part of the key`);
    const overlaps = paths.slice(index + 1).some((other) => isWithin(path, other) || isWithin(other, path));
    check(!overlaps, `Two document paths overlap with each other: ${path}`);
  }
};

const isWithin = (path: string, other: string): boolean =>
  path === other || path.startsWith(`${other}.`) || path.startsWith(`${other}[`);

const keyCondition =
  /^\s*(?<partition>#?\w+)\s*=\s*:\w+(?:\s+AND\s+(?:begins_with\s*\(\s*(?<start>#?\w+)\s*,\s*:\w+\s*\)|(?<sort>#?\w+)\s*(?:(?:=|<=?|>=?)\s*:\w+|BETWEEN\s+(?<low>:\w+)\s+AND\s+(?<high>:\w+))))?\s*$/i;

const checkQuery = (request: Request): void => {
  const { IndexName, KeyConditionExpression: text = '', Limit = 1, Select, ExclusiveStartKey: start } = request;
  check(Limit >= 1, "Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1");
  check(
    IndexName === undefined || (indexNames as readonly string[]).includes(IndexName),
    `The table does not have the specified index: ${IndexName}`,
  );
  const index = IndexName !== undefined && [`${IndexName}Pk`, sortKeyOf(IndexName)];
  const [partition, sort] = index || ['pk', 'sk'];
  const groups = keyCondition.exec(text)?.groups ?? refuse(`Invalid KeyConditionExpression: "${text}"`);
  const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = request;
  const nameOf = (name: string | undefined) => (name === undefined ? undefined : (names[name] ?? name));
  check(nameOf(groups['partition']) === partition, `Query condition missed key schema element: ${partition}`);
  const second = nameOf(groups['sort'] ?? groups['start']);
  check(second === undefined || second === sort, `Query condition missed key schema element: ${sort}`);
  const { low = '', high = '' } = groups;
  check(
    low === '' || Buffer.compare(Buffer.from(String(values[low])), Buffer.from(String(values[high]))) <= 0,
    'The BETWEEN operator requires upper bound to be greater than or equal to lower bound',
  );
  const shown = request.ProjectionExpression;
  check(
    Select !== 'COUNT' || shown === undefined,
    'Cannot specify the ProjectionExpression when choosing to get only the Count',
  );
  const place = ['pk', 'sk', ...(index || [])].sort().join();
  check(!start || Object.keys(start).sort().join() === place, 'The provided starting key is invalid');
};
