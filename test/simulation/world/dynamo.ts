import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { dueProjection, listProjection } from '#core/platform/lists/listing.ts';
import { indexNames } from '#core/platform/operation/grants.ts';
import {
  compare,
  conditionOf,
  type Item,
  isEqual,
  type Placeholders,
  readPartition,
  update,
  ValidationException,
} from './expressions.ts';
import { lazyImage } from './images.ts';
import { Partitions } from './partitions.ts';
import type { Timeline } from './timeline.ts';
import { keep, keptUpdate, measureRow, toNumber, whatFits } from './values.ts';

/** One write, as the table's stream tells it. */
export type Committed = {
  /** Goes up with every write of the table. */
  sequence: number;
  pk: string;
  sk: string;
  entity: unknown;
  before: Item | undefined;
  after: Item | undefined;
};

export type Answer = { value: unknown } | { error: Error };
type Answered = (answer: Answer) => void;

type Part = {
  Key?: Item;
  Item?: Item;
  UpdateExpression?: string;
  ConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
  ReturnValuesOnConditionCheckFailure?: string;
  ReturnValues?: string;
};
type Query = Part & {
  IndexName?: string;
  KeyConditionExpression?: string;
  ScanIndexForward?: boolean;
  Limit?: number;
  Select?: string;
  ExclusiveStartKey?: Item;
  ConsistentRead?: boolean;
  ProjectionExpression?: string;
};

/** The behaviour of the table in addition to its content. */
export type Habits = {
  /** The time (ms) until a write is seen by indexes, and by reads that do not ask for consistency. */
  lag: () => number;
  /** The time (ms) for which a transaction keeps its items. 0: it is over immediately. */
  lock: () => number;
};

type Pending = { visibleAt: number; committed: Committed };

const rowId = (pk: unknown, sk: unknown): string => `${pk}\n${sk}`;

const readKey = ({ Key, Item: item }: Part): { pk: string; sk: string; id: string } => {
  const { pk, sk } = Key ?? item ?? {};
  if (typeof pk !== 'string' || typeof sk !== 'string' || pk === '' || sk === '') {
    throw new ValidationException('One of the key attributes is missing or empty');
  }
  return { pk, sk, id: rowId(pk, sk) };
};

const readNames = (part: Part): Placeholders => ({
  names: part.ExpressionAttributeNames ?? {},
  values: numbersIn(part.ExpressionAttributeValues ?? {}),
});

const numbersIn = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.values(values).some((value) => typeof value === 'bigint')
    ? Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, typeof value === 'bigint' ? toNumber(value) : value]),
      )
    : values;

/** The indexes with what places a row in them, and what they show of it. */
const indexes = indexNames.map((name) => {
  const [partition, sort] = [`${name}Pk`, name === 'due' ? 'dueSk' : 'listSk'];
  return {
    name,
    partition,
    sort,
    shown: ['pk', 'sk', partition, sort, ...(name === 'due' ? dueProjection : listProjection)],
  };
});
type Index = (typeof indexes)[number];

/** Returns the place of a row in an index; undefined: it is not in it. */
const placeIn = ({ partition, sort }: Index, row: Item | undefined): string | undefined => {
  const place = row?.[partition];
  return typeof place === 'string' && row?.[sort] !== undefined ? place : undefined;
};

/** Checks whether a row is in any index: rows of counters, which are most of what is written, are not. */
const isPlaced = (row: Item | undefined): boolean => row?.['listSk'] !== undefined || row?.['dueSk'] !== undefined;

const noItem: Item = Object.freeze({});

/** The one table, in memory, with its indexes, its stream and its faults. */
export class Table {
  readonly items: Map<string, Item>;
  private readonly partitions: Partitions;
  /** The rows that stale reads see, and each index; with the write that they saw. */
  private readonly base: Partitions;
  private readonly seenAs = new Map<string, Committed>();
  private readonly views: ReadonlyMap<string, Partitions>;
  private readonly locks = new Set<string>();
  private readonly tokens = new Map<number, 'under way' | 'done'>();
  private pending: Pending[] = [];
  private sequence = 0;
  /** Called with every write. */
  onCommit: ((committed: Committed) => void) | undefined;
  private readonly timeline: Pick<Timeline, 'now' | 'after'>;
  private readonly habits: Habits;

  constructor(timeline: Pick<Timeline, 'now' | 'after'>, habits: Habits, rows: Iterable<Item> = []) {
    this.timeline = timeline;
    this.habits = habits;
    const { items, partitions, views } = getBeginning(rows);
    this.items = new Map(items);
    this.partitions = partitions.copy();
    this.base = partitions.copy();
    this.views = new Map(Array.from(views, ([name, view]) => [name, view.copy()]));
  }

  /** Does what a command of the document client asks for; `token` is the same when it is sent again. */
  perform(command: string, input: Record<string, unknown>, token: number, answer: Answered): void {
    let parts: readonly TransactionPart[] = [];
    const early = guard(() => {
      if (command !== 'TransactWriteCommand') return this.performOne(command, input);
      parts = listParts(input);
      return undefined;
    });
    if (early) answer(early);
    else this.transact(parts, token, answer);
  }

  private performOne(command: string, input: Record<string, unknown>): Answer {
    switch (command) {
      case 'GetCommand':
        return { value: { Item: this.read(input) } };
      case 'BatchGetCommand':
        return { value: this.readBatch(input as Parameters<Table['readBatch']>[0]) };
      case 'BatchWriteCommand':
        return this.writeBatch(input as Parameters<Table['writeBatch']>[0]);
      case 'QueryCommand':
        return { value: this.query(input) };
      case 'ScanCommand':
        return { value: this.scan(input) };
      case 'PutCommand':
      case 'UpdateCommand':
      case 'DeleteCommand':
        return this.write(command, input);
      default:
        throw new Error(`The simulation knows no ${command}`);
    }
  }

  private read(input: Part & { ConsistentRead?: boolean }): Item | undefined {
    const { pk, id } = readKey(input);
    return input.ConsistentRead ? this.items.get(id) : this.partitionsOf(undefined).of(pk)?.get(id);
  }

  private readBatch({ RequestItems }: { RequestItems: Record<string, { Keys: Item[] }> }): object {
    const Responses = Object.entries(RequestItems).map(([table, { Keys }]) => {
      const ids = Keys.map((Key) => readKey({ Key }).id);
      if (ids.length > 100) throw new ValidationException('Too many items requested for the BatchGetItem call');
      if (new Set(ids).size < ids.length)
        throw new ValidationException('Provided list of item keys contains duplicates');
      return [table, ids.flatMap((id) => this.items.get(id) ?? [])];
    });
    return { Responses: Object.fromEntries(Responses), UnprocessedKeys: {} };
  }

  private writeBatch({
    RequestItems,
  }: {
    RequestItems: Record<string, { PutRequest?: Part; DeleteRequest?: Part }[]>;
  }): Answer {
    const parts = Object.values(RequestItems)
      .flat()
      .map(({ PutRequest, DeleteRequest = {} }) =>
        PutRequest ? ({ verb: 'Put', part: PutRequest } as const) : ({ verb: 'Delete', part: DeleteRequest } as const),
      );
    if (parts.length > 25) throw new ValidationException('Member must have length less than or equal to 25');
    if (new Set(parts.map(({ part }) => readKey(part).id)).size < parts.length) {
      throw new ValidationException('Provided list of item keys contains duplicates');
    }
    // All are looked at before any is written.
    for (const { verb, part } of parts) this.afterWrite(verb, part, undefined);
    for (const { verb, part } of parts) this.write(`${verb}Command`, part);
    return { value: { UnprocessedItems: {} } };
  }

  private query(input: Query): object {
    const { IndexName, KeyConditionExpression = '', ConsistentRead, ScanIndexForward = true, Limit } = input;
    if (IndexName !== undefined && ConsistentRead) throw new ValidationException('Indexes take no consistent reads');
    const index = indexes.find(({ name }) => name === IndexName);
    const [partition, sort] = index ? [index.partition, index.sort] : ['pk', 'sk'];
    const given = readNames(input);
    const wanted = readPartition(KeyConditionExpression, partition, given);
    const rows = (ConsistentRead ? this.partitions : this.partitionsOf(IndexName)).of(wanted)?.values();
    const holds = conditionOf(KeyConditionExpression);
    const order = (left: Item, right: Item): number =>
      (compare(left[sort], right[sort]) ?? 0) ||
      (rowId(left['pk'], left['sk']) < rowId(right['pk'], right['sk']) ? -1 : 1);
    const found = [...(rows ?? [])].filter((row) => holds(row, given)).sort(order);
    if (!ScanIndexForward) found.reverse();
    const { ExclusiveStartKey: start } = input;
    const from = start ? found.findIndex((row) => order(row, start) > 0 === ScanIndexForward && !isAt(row, start)) : 0;
    const rest = from < 0 ? [] : found.slice(from);
    const wantedRows = rest.slice(0, Limit ?? rest.length);
    const whole = whatFits(index ? wantedRows.map((row) => project(index.shown, row)) : wantedRows);
    const only = input.ProjectionExpression?.split(',').map((name) => name.trim());
    const Items = only ? whole.map((row) => project(only, row)) : whole;
    const last = wantedRows[whole.length - 1];
    const isCut = last !== undefined && (whole.length < rest.length || rest.length === Limit);
    const attributes = new Set(['pk', 'sk', partition, sort]);
    const LastEvaluatedKey = isCut && Object.fromEntries(Object.entries(last).filter(([name]) => attributes.has(name)));
    const shown = input.Select === 'COUNT' ? {} : { Items };
    return { ...shown, Count: Items.length, ScannedCount: Items.length, ...(LastEvaluatedKey && { LastEvaluatedKey }) };
  }

  private scan({ ExclusiveStartKey: start }: Query): object {
    const after = start ? readKey({ Key: start }).id : '';
    const rows = [...this.items].filter(([id]) => id > after).sort(([left], [right]) => (left < right ? -1 : 1));
    const Items = whatFits(rows.map(([, row]) => row));
    const { pk, sk } = Items.at(-1) ?? {};
    return { Items, Count: Items.length, ...(Items.length < rows.length && { LastEvaluatedKey: { pk, sk } }) };
  }

  private write(command: string, part: Part): Answer {
    const { pk, sk, id } = readKey(part);
    if (this.locks.has(id)) {
      const message = 'Transaction is ongoing for the item';
      return { error: new TransactionConflictException({ message, $metadata: {} }) };
    }
    const before = this.items.get(id);
    if (!this.holds(before, part)) {
      const message = 'The conditional request failed';
      return { error: new ConditionalCheckFailedException({ message, $metadata: {}, ...oldItem(before, part) }) };
    }
    const after = this.afterWrite(command.replace('Command', ''), part, before);
    this.commit(pk, sk, before, after);
    return { value: part.ReturnValues === 'ALL_NEW' ? { Attributes: after } : {} };
  }

  private holds(before: Item | undefined, part: Part): boolean {
    const { ConditionExpression } = part;
    return ConditionExpression === undefined || conditionOf(ConditionExpression)(before ?? noItem, readNames(part));
  }

  private afterWrite(verb: string, part: Part, before: Item | undefined): Item | undefined {
    if (verb === 'Delete') return undefined;
    if (verb === 'Put') return check(keep(part.Item ?? {}));
    const { pk, sk } = readKey(part);
    const given = readNames(part);
    const item = before ?? { pk, sk };
    const after = part.UpdateExpression === undefined ? item : update(item, part.UpdateExpression, given);
    if (after['pk'] !== pk || after['sk'] !== sk) throw new ValidationException('Keys of the table cannot be changed');
    return check(before ? keptUpdate(after, before) : keep(after));
  }

  private transact(parts: readonly TransactionPart[], token: number, answer: Answered): void {
    const known = this.knownAnswer(parts, token);
    const lock = this.habits.lock();
    if (known || lock === 0) {
      answer(known ?? this.commitAll(parts, token));
      return;
    }
    for (const { id } of parts) this.locks.add(id);
    this.tokens.set(token, 'under way');
    this.timeline.after(lock, () => {
      for (const { id } of parts) this.locks.delete(id);
      this.tokens.delete(token);
      answer(guard(() => this.commitAll(parts, token)));
    });
  }

  /** Returns the answer to a transaction before it is checked: it was sent before, or meets another. */
  private knownAnswer(parts: readonly TransactionPart[], token: number): Answer | undefined {
    const known = this.tokens.get(token);
    if (known) return known === 'done' ? { value: {} } : { error: errorNamed('TransactionInProgressException') };
    if (!parts.some(({ id }) => this.locks.has(id))) return undefined;
    return cancelledAnswer(parts.map(({ id }) => ({ Code: this.locks.has(id) ? 'TransactionConflict' : 'None' })));
  }

  private commitAll(parts: readonly TransactionPart[], token: number): Answer {
    const reasons: { Code: string }[] = [];
    const writes = parts.flatMap(({ verb, part, pk, sk, id }) => {
      const before = this.items.get(id);
      if (!this.holds(before, part)) {
        reasons.push({ Code: 'ConditionalCheckFailed', ...oldItem(before, part) });
        return [];
      }
      const after =
        verb === 'ConditionCheck' ? undefined : guard(() => ({ item: this.afterWrite(verb, part, before) }));
      if (after && 'error' in after && !(after.error instanceof ValidationException)) throw after.error;
      reasons.push({ Code: after && 'error' in after ? 'ValidationError' : 'None' });
      return after && 'item' in after ? [{ pk, sk, before, after: after.item }] : [];
    });
    if (reasons.some(({ Code }) => Code !== 'None')) return cancelledAnswer(reasons);
    for (const { pk, sk, before, after } of writes) this.commit(pk, sk, before, after);
    this.tokens.set(token, 'done');
    return { value: {} };
  }

  /** Deletes rows whose time to live is over, as DynamoDB does in the background, except rows locked by a transaction. `now`: ms. */
  expire(now: number, delay: (id: string) => number): void {
    for (const [id, row] of this.items) {
      const { ttl, pk, sk } = row as { ttl?: number; pk: string; sk: string };
      if (ttl === undefined || ttl * 1000 + delay(id) > now || this.locks.has(id)) continue;
      this.commit(pk, sk, row, undefined);
    }
  }

  private commit(pk: string, sk: string, before: Item | undefined, after: Item | undefined): void {
    // A write that changes nothing leaves no trace in the stream.
    if (isEqual(before, after) || (!before && !after)) return;
    const id = rowId(pk, sk);
    if (after) this.items.set(id, after);
    else this.items.delete(id);
    this.partitions.set(pk, id, after);
    this.sequence += 1;
    const committed = { sequence: this.sequence, pk, sk, entity: (after ?? before)?.['entity'], before, after };
    this.pending.push({ visibleAt: this.timeline.now + this.habits.lag(), committed });
    this.onCommit?.(committed);
  }

  /** An index, or the table itself, with all that may be seen in it by now. */
  private partitionsOf(index: string | undefined): Partitions {
    const { now } = this.timeline;
    if (this.pending.some(({ visibleAt }) => visibleAt <= now)) {
      const visible = this.pending.filter(({ visibleAt }) => visibleAt <= now);
      this.pending = this.pending.filter(({ visibleAt }) => visibleAt > now);
      for (const { committed } of visible) this.show(committed);
    }
    const view = index === undefined ? this.base : this.views.get(index);
    if (!view) throw new ValidationException(`The table does not have the specified index: ${index}`);
    return view;
  }

  private show(committed: Committed): void {
    const { sequence, pk, sk, after } = committed;
    const id = rowId(pk, sk);
    const known = this.seenAs.get(id);
    if ((known?.sequence ?? -1) > sequence) return;
    // Nothing was seen of it since the history began: what is seen then is what the first write found.
    const shown = known ? known.after : this.base.of(pk)?.get(id);
    this.seenAs.set(id, committed);
    this.base.set(pk, id, after);
    if (!isPlaced(shown) && !isPlaced(after)) return;
    for (const index of indexes)
      place(this.views.get(index.name), placeIn(index, shown), placeIn(index, after), { id, row: after });
  }
}

const place = (
  view: Partitions | undefined,
  from: string | undefined,
  to: string | undefined,
  { id, row }: { id: string; row: Item | undefined },
): void => {
  if (from !== undefined && from !== to) view?.set(from, id, undefined);
  if (to !== undefined) view?.set(to, id, row);
};

/** A table as it is when a history begins: made once of the rows of a stage. */
type Beginning = { items: ReadonlyMap<string, Item>; partitions: Partitions; views: ReadonlyMap<string, Partitions> };
const beginnings = new WeakMap<object, Beginning>();

const getBeginning = (rows: Iterable<Item>): Beginning => {
  const known = beginnings.get(rows);
  if (known) return known;
  const items = new Map<string, Item>();
  const partitions = new Partitions();
  const views = new Map<string, Partitions>(indexNames.map((name) => [name, new Partitions()]));
  for (const row of rows) {
    const { pk, id } = readKey({ Item: row });
    measureRow(row);
    items.set(id, row);
    partitions.set(pk, id, row);
    for (const index of indexes) place(views.get(index.name), undefined, placeIn(index, row), { id, row });
  }
  const made = { items, partitions, views };
  beginnings.set(rows, made);
  return made;
};

type TransactionPart = { verb: string; part: Part; pk: string; sk: string; id: string };

const listParts = ({ TransactItems }: { TransactItems?: Record<string, Part>[] }): TransactionPart[] => {
  const parts = (TransactItems ?? []).flatMap((one) =>
    Object.entries(one).map(([verb, part]) => ({ verb, part, ...readKey(part) })),
  );
  if (parts.length === 0) throw new ValidationException('Member must have length greater than or equal to 1');
  if (parts.length > 100) throw new ValidationException('Member must have length less than or equal to 100');
  if (new Set(parts.map(({ id }) => id)).size < parts.length) {
    throw new ValidationException('Transaction request cannot include multiple operations on one item');
  }
  return parts;
};

const guard = <T>(work: () => T): T | { error: Error } => {
  try {
    return work();
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
};

const isAt = (row: Item, key: Item): boolean => row['pk'] === key['pk'] && row['sk'] === key['sk'];

const project = (shown: readonly string[], row: Item): Item => {
  const visible: Record<string, unknown> = {};
  for (const name of shown) if (row[name] !== undefined) visible[name] = row[name];
  return Object.freeze(visible);
};

/** Attributes that are keys of an index must be texts that are not empty. */
const indexKeys: ReadonlySet<string> = new Set(['dueSk', 'listSk', ...indexes.map(({ partition }) => partition)]);
const check = (row: Item): Item => {
  for (const name of Object.keys(row)) {
    // Of most names the last letter says enough.
    if (!name.endsWith('k') || !indexKeys.has(name)) continue;
    const value = row[name];
    if (value !== undefined && (typeof value !== 'string' || value === '')) {
      throw new ValidationException(`${name} is no key of an index`);
    }
  }
  return row;
};

const oldItem = (before: Item | undefined, part: Part) =>
  before && part.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? { Item: lazyImage(before) } : {};

/** The answer to a transaction that is cancelled, with a reason for each of its parts. */
export const cancelledAnswer = (CancellationReasons: { Code: string }[]): Answer => ({
  error: new TransactionCanceledException({ message: 'Transaction cancelled', $metadata: {}, CancellationReasons }),
});

/** Creates an error of a service that is known by its name alone. */
export const errorNamed = (name: string, message = name): Error => Object.assign(new Error(message), { name });
