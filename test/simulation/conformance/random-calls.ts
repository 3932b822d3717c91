import { type Random, seedRandom } from '../world/random.ts';

/** Random calls of DynamoDB about few items, so that they meet: the same ones for every implementation that is compared. */
export const callNames = [
  'BatchGetCommand',
  'BatchWriteCommand',
  'DeleteCommand',
  'GetCommand',
  'PutCommand',
  'QueryCommand',
  'TransactWriteCommand',
  'UpdateCommand',
] as const;
export type Call = { name: (typeof callNames)[number]; input: Record<string, unknown> };

export const TableName = 'forewarn-test';
const ReturnValuesOnConditionCheckFailure = 'ALL_OLD';

/** The keys of all items. */
export const allKeys = ['P0', 'P1'].flatMap((pk) => ['S0', 'S1', 'S2'].map((sk) => ({ pk, sk })));

/** A world with one item of four keys at a time, so that calls meet. */
const drawKey = (random: Random) => ({ pk: `P${random.int(2)}`, sk: `S${random.int(3)}` });

const drawItem = (random: Random): Record<string, unknown> => ({
  ...drawKey(random),
  entity: random.pick(['ALERT', 'DELIVERY', undefined]),
  version: random.int(3),
  state: random.pick(['PENDING', 'DONE']),
  lease: random.pick([undefined, { until: `2026-0${1 + random.int(3)}`, attemptId: 'x' }]),
  nested: { entries: [1, 'two', { three: null }], flag: random.chance(0.5) },
  tags: random.pick([undefined, new Set(['a', 'b']), new Set(['c'])]),
  ...(random.chance(0.6) && { duePk: `DUE#${random.int(2)}`, dueSk: `2026-0${1 + random.int(4)}#X`, id: 7 }),
  ...(random.chance(0.6) && {
    listSk: `2026-0${1 + random.int(4)}`,
    list1Pk: `L#${random.int(2)}`,
    list1fPk: 'L#1#x',
    summary: { n: random.int(9) },
  }),
});

type Expression = {
  text: string;
  names?: Record<string, string>;
  values?: (random: Random) => Record<string, unknown>;
  /** Not valid for every item. What comes first then, that or a condition that does not hold, is left open. */
  isDelicate?: true;
};

const conditions: readonly Expression[] = [
  { text: 'attribute_not_exists(pk)' },
  { text: 'attribute_exists(pk) AND attribute_not_exists(#u)', names: { '#u': 'lease' } },
  { text: '#v = :v', names: { '#v': 'version' }, values: (random) => ({ ':v': random.int(3) }) },
  {
    text: '#s = :s AND (attribute_not_exists(lease) OR lease.#until <= :now)',
    names: { '#s': 'state', '#until': 'until' },
    values: () => ({ ':s': 'PENDING', ':now': '2026-02' }),
  },
  {
    text: '(version <= :v OR (#s = :s AND NOT version >= :w)) AND lease.attemptId <> :x',
    names: { '#s': 'state' },
    values: (random) => ({ ':v': random.int(2), ':s': 'DONE', ':w': 2, ':x': 'x' }),
  },
  { text: 'version BETWEEN :v AND :w', values: () => ({ ':v': 1, ':w': 2 }) },
  {
    text: '#s IN (:a, :b) OR contains(tags, :c)',
    names: { '#s': 'state' },
    values: () => ({ ':a': 'x', ':b': 'DONE', ':c': 'a' }),
  },
  { text: 'begins_with(dueSk, :d) OR size(nested.entries) > :n', values: () => ({ ':d': '2026-01', ':n': 3 }) },
  { text: 'nested = :n', values: () => ({ ':n': { entries: [1, 'two', { three: null }], flag: true } }) },
];

const updates: readonly Expression[] = [
  {
    text: 'SET lease = :l ADD version :one',
    values: () => ({ ':l': { until: '2026-01', attemptId: 'y' }, ':one': 1 }),
  },
  { text: 'SET #s = :s REMOVE lease, duePk, dueSk', names: { '#s': 'state' }, values: () => ({ ':s': 'DONE' }) },
  { text: 'ADD #n :one, extra :two', names: { '#n': 'a|b' }, values: () => ({ ':one': 1, ':two': -2 }) },
  { text: 'ADD tags :t', values: (random) => ({ ':t': new Set([random.pick(['a', 'd'])]) }) },
  { text: 'DELETE tags :t', values: () => ({ ':t': new Set(['a', 'c']) }) },
  { text: 'SET summary.n = :n', isDelicate: true, values: (random) => ({ ':n': random.int(5) }) },
  {
    text: 'SET #v = if_not_exists(#v, :zero) + :one, nested.flag = :f',
    isDelicate: true,
    names: { '#v': 'version' },
    values: () => ({ ':zero': 0, ':one': 1, ':f': false }),
  },
  { text: 'SET version = version + :one', isDelicate: true, values: () => ({ ':one': 1 }) },
  { text: 'REMOVE nested.entries[0]', isDelicate: true },
  { text: 'SET nested.entries[1] = :x', isDelicate: true, values: () => ({ ':x': 'changed' }) },
];

const placeholders = (random: Random, ...parts: readonly (Expression | undefined)[]) => {
  const names = Object.assign({}, ...parts.map((part) => part?.names ?? {}));
  const values = Object.assign({}, ...parts.map((part) => part?.values?.(random) ?? {}));
  return {
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
};

/** Placeholders of a condition and of an update that are combined get names of their own. */
const distinct = (expression: Expression, mark: string): Expression => {
  const renamed = (text: string) => text.replaceAll(/([#:])([a-z]+)/g, `$1${mark}$2`);
  const all = (map: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(map).map(([name, value]) => [renamed(name), value]));
  return {
    text: renamed(expression.text),
    ...(expression.names && { names: all(expression.names) as Record<string, string> }),
    ...(expression.values && { values: (random) => all(expression.values?.(random) ?? {}) }),
  };
};

const drawWrite = (random: Random): { verb: 'Put' | 'Update' | 'Delete'; part: Record<string, unknown> } => {
  const condition = random.chance(0.6) ? distinct(random.pick(conditions), 'c') : undefined;
  const conditional = condition && { ConditionExpression: condition.text, ReturnValuesOnConditionCheckFailure };
  const verb = random.pick(['Put', 'Update', 'Update', 'Delete'] as const);
  if (verb === 'Put') {
    return { verb, part: { TableName, Item: drawItem(random), ...conditional, ...placeholders(random, condition) } };
  }
  const Key = drawKey(random);
  if (verb === 'Delete') return { verb, part: { TableName, Key, ...conditional, ...placeholders(random, condition) } };
  const update = random.pick(updates);
  const common = { TableName, Key, UpdateExpression: update.text };
  if (update.isDelicate) return { verb, part: { ...common, ...placeholders(random, update) } };
  return { verb, part: { ...common, ...conditional, ...placeholders(random, condition, update) } };
};

const drawQuery = (random: Random): Record<string, unknown> => {
  const common = {
    TableName,
    ScanIndexForward: random.chance(0.5),
    ...(random.chance(0.4) && { Limit: 1 + random.int(3) }),
    ...(random.chance(0.2) && { Select: 'COUNT' }),
  };
  const [low, high] = [`2026-0${1 + random.int(2)}`, '2026-03#\uffff'];
  return random.pick([
    {
      ...common,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
      ExpressionAttributeValues: { ':pk': 'P0', ':sk': 'S' },
      ConsistentRead: true,
    },
    {
      ...common,
      KeyConditionExpression: '#p = :pk AND sk >= :sk',
      ExpressionAttributeNames: { '#p': 'pk' },
      ExpressionAttributeValues: { ':pk': 'P1', ':sk': 'S1' },
    },
    {
      ...common,
      IndexName: 'due',
      KeyConditionExpression: 'duePk = :p AND dueSk BETWEEN :low AND :high',
      ExpressionAttributeValues: { ':p': `DUE#${random.int(2)}`, ':low': low, ':high': high },
    },
    {
      ...common,
      IndexName: 'list1',
      KeyConditionExpression: 'list1Pk = :p',
      ExpressionAttributeValues: { ':p': `L#${random.int(2)}` },
    },
  ]);
};

const drawCall = (random: Random): Call => {
  const kind = random.int(10);
  if (kind === 0) return { name: 'GetCommand', input: { TableName, Key: drawKey(random), ConsistentRead: true } };
  if (kind === 1) {
    const Keys = [
      ...new Map(Array.from({ length: 3 }, () => drawKey(random)).map((key) => [`${key.pk}${key.sk}`, key])).values(),
    ];
    return { name: 'BatchGetCommand', input: { RequestItems: { [TableName]: { Keys, ConsistentRead: true } } } };
  }
  if (kind === 2 && random.chance(0.3)) {
    const requests = Array.from({ length: 3 }, () =>
      random.chance(0.6) ? { PutRequest: { Item: drawItem(random) } } : { DeleteRequest: { Key: drawKey(random) } },
    );
    return { name: 'BatchWriteCommand', input: { RequestItems: { [TableName]: requests } } };
  }
  if (kind <= 3) return { name: 'QueryCommand', input: drawQuery(random) };
  if (kind <= 6) {
    const { verb, part } = drawWrite(random);
    return { name: `${verb}Command`, input: { ...part, ...(verb === 'Update' && { ReturnValues: 'ALL_NEW' }) } };
  }
  const parts = Array.from({ length: 1 + random.int(3) }, () => drawWrite(random));
  const check = distinct(random.pick(conditions), 'c');
  const TransactItems = [
    ...parts.map(({ verb, part }) => ({ [verb]: { ...part, ReturnValuesOnConditionCheckFailure } })),
    ...(random.chance(0.3)
      ? [
          {
            ConditionCheck: {
              TableName,
              Key: drawKey(random),
              ConditionExpression: check.text,
              ...placeholders(random, check),
            },
          },
        ]
      : []),
  ];
  return { name: 'TransactWriteCommand', input: { TransactItems } };
};

/** The calls of a seed, in their order. */
export const drawCalls = (seed: number, steps: number): Call[] => {
  const random = seedRandom(seed, 'calls');
  return Array.from({ length: steps }, () => drawCall(random));
};
