import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { indexNames } from '../../../functions/core/grants.ts';
import { dueProjection, listProjection } from '../../../functions/core/listing.ts';
import {
  compare,
  conditionOf,
  type Item,
  isEqual,
  type Placeholders,
  partitionOf,
  updated,
  ValidationException,
} from './expressions.ts';
import type { Timeline } from './timeline.ts';
import { kept, numberOf } from './values.ts';

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

/** How the table behaves beyond what is written into it. */
export type Habits = {
  /** How long (ms) until a write is seen by indexes, and by reads that do not ask for consistency. */
  lag: () => number;
  /** How long (ms) a transaction keeps its items. 0: it is over at once. */
  lock: () => number;
};

/** What a query of one partition sees; `base` is the table itself for reads that may be stale. */
type View = { partitions: Map<string, Map<string, Item>>; places: Map<string, string> };
type Pending = { visibleAt: number; committed: Committed };

const idOf = (pk: unknown, sk: unknown): string => `${pk}\n${sk}`;

const keyOf = ({ Key, Item: item }: Part): { pk: string; sk: string; id: string } => {
  const { pk, sk } = Key ?? item ?? {};
  if (typeof pk !== 'string' || typeof sk !== 'string' || pk === '' || sk === '') {
    throw new ValidationException('One of the key attributes is missing or empty');
  }
  return { pk, sk, id: idOf(pk, sk) };
};

const placeholdersOf = (part: Part): Placeholders => ({
  names: part.ExpressionAttributeNames ?? {},
  values: numbersIn(part.ExpressionAttributeValues ?? {}),
});

const numbersIn = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.values(values).some((value) => typeof value === 'bigint')
    ? Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, typeof value === 'bigint' ? numberOf(value) : value]),
      )
    : values;

const sortKeyOf = (index: string): string => (index === 'due' ? 'dueSk' : 'listSk');
const noItem: Item = Object.freeze({});

/** The one table, in memory, with its indexes, its stream and what stands in its way. */
export class Table {
  readonly items = new Map<string, Item>();
  private readonly partitions = new Map<string, Map<string, Item>>();
  private readonly views = new Map<string, View>();
  private readonly applied = new Map<string, number>();
  private readonly locks = new Set<string>();
  private readonly tokens = new Map<number, 'under way' | 'done'>();
  private pending: Pending[] = [];
  private sequence = 0;
  /** Is told of every write. */
  onCommit: ((committed: Committed) => void) | undefined;
  private readonly timeline: Pick<Timeline, 'now' | 'after'>;
  private readonly habits: Habits;

  constructor(timeline: Pick<Timeline, 'now' | 'after'>, habits: Habits, rows: Iterable<Item> = []) {
    this.timeline = timeline;
    this.habits = habits;
    for (const name of ['base', ...indexNames]) this.views.set(name, { partitions: new Map(), places: new Map() });
    for (const row of rows) this.place(row);
  }

  private place(row: Item): void {
    const { pk, sk, id } = keyOf({ Item: row });
    this.put(pk, id, row);
    this.show({ sequence: 0, pk, sk, entity: row['entity'], before: undefined, after: row });
  }

  /** Does what a command of the document client asks for; `token` is the same when it is sent again. */
  perform(command: string, input: Record<string, unknown>, token: number, answer: Answered): void {
    let parts: readonly TransactionPart[] = [];
    const early = guarded(() => {
      if (command !== 'TransactWriteCommand') return this.performOne(command, input);
      parts = partsOf(input);
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
      case 'QueryCommand':
        return { value: this.query(input) };
      case 'PutCommand':
      case 'UpdateCommand':
      case 'DeleteCommand':
        return this.write(command, input);
      default:
        throw new Error(`The simulation knows no ${command}`);
    }
  }

  private read(input: Part & { ConsistentRead?: boolean }): Item | undefined {
    const { pk, id } = keyOf(input);
    return input.ConsistentRead ? this.items.get(id) : this.seen('base').partitions.get(pk)?.get(id);
  }

  private readBatch({ RequestItems }: { RequestItems: Record<string, { Keys: Item[] }> }): object {
    const Responses = Object.entries(RequestItems).map(([table, { Keys }]) => {
      const ids = Keys.map((Key) => keyOf({ Key }).id);
      if (ids.length > 100) throw new ValidationException('Too many items requested for the BatchGetItem call');
      if (new Set(ids).size < ids.length)
        throw new ValidationException('Provided list of item keys contains duplicates');
      return [table, ids.flatMap((id) => this.items.get(id) ?? [])];
    });
    return { Responses: Object.fromEntries(Responses), UnprocessedKeys: {} };
  }

  private query(input: Query): object {
    const { IndexName, KeyConditionExpression = '', ConsistentRead, ScanIndexForward = true, Limit } = input;
    if (IndexName !== undefined && ConsistentRead) throw new ValidationException('Indexes take no consistent reads');
    const [partition, sort] = IndexName ? [`${IndexName}Pk`, sortKeyOf(IndexName)] : ['pk', 'sk'];
    const given = placeholdersOf(input);
    const wanted = partitionOf(KeyConditionExpression, partition, given);
    const rows = (
      ConsistentRead ? this.partitions.get(wanted) : this.seen(IndexName ?? 'base').partitions.get(wanted)
    )?.values();
    const holds = conditionOf(KeyConditionExpression);
    const order = (left: Item, right: Item): number =>
      (compare(left[sort], right[sort]) ?? 0) ||
      (idOf(left['pk'], left['sk']) < idOf(right['pk'], right['sk']) ? -1 : 1);
    const found = [...(rows ?? [])].filter((row) => holds(row, given)).sort(order);
    if (!ScanIndexForward) found.reverse();
    const { ExclusiveStartKey: start } = input;
    const from = start ? found.findIndex((row) => order(row, start) > 0 === ScanIndexForward && !isAt(row, start)) : 0;
    const rest = from < 0 ? [] : found.slice(from);
    const Items = rest.slice(0, Limit ?? rest.length);
    const last = Items.at(-1);
    const isCut = last !== undefined && Limit !== undefined && rest.length >= Limit;
    const attributes = new Set(['pk', 'sk', partition, sort]);
    const LastEvaluatedKey = isCut && Object.fromEntries(Object.entries(last).filter(([name]) => attributes.has(name)));
    const shown = input.Select === 'COUNT' ? {} : { Items };
    return { ...shown, Count: Items.length, ...(LastEvaluatedKey && { LastEvaluatedKey }) };
  }

  private write(command: string, part: Part): Answer {
    const { pk, sk, id } = keyOf(part);
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
    return (
      ConditionExpression === undefined || conditionOf(ConditionExpression)(before ?? noItem, placeholdersOf(part))
    );
  }

  private afterWrite(verb: string, part: Part, before: Item | undefined): Item | undefined {
    if (verb === 'Delete') return undefined;
    if (verb === 'Put') return checked(kept(part.Item ?? {}));
    const { pk, sk } = keyOf(part);
    const given = placeholdersOf(part);
    const item = before ?? { pk, sk };
    return checked(kept(part.UpdateExpression === undefined ? item : updated(item, part.UpdateExpression, given)));
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
      answer(guarded(() => this.commitAll(parts, token)));
    });
  }

  /** What a transaction is answered before it is looked at: it was sent before, or meets another. */
  private knownAnswer(parts: readonly TransactionPart[], token: number): Answer | undefined {
    const known = this.tokens.get(token);
    if (known) return known === 'done' ? { value: {} } : { error: named('TransactionInProgressException') };
    if (!parts.some(({ id }) => this.locks.has(id))) return undefined;
    return cancelled(parts.map(({ id }) => ({ Code: this.locks.has(id) ? 'TransactionConflict' : 'None' })));
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
        verb === 'ConditionCheck' ? undefined : guarded(() => ({ item: this.afterWrite(verb, part, before) }));
      if (after && 'error' in after && !(after.error instanceof ValidationException)) throw after.error;
      reasons.push({ Code: after && 'error' in after ? 'ValidationError' : 'None' });
      return after && 'item' in after ? [{ pk, sk, before, after: after.item }] : [];
    });
    if (reasons.some(({ Code }) => Code !== 'None')) return cancelled(reasons);
    for (const { pk, sk, before, after } of writes) this.commit(pk, sk, before, after);
    this.tokens.set(token, 'done');
    return { value: {} };
  }

  private put(pk: string, id: string, row: Item | undefined): void {
    const partition = this.partitions.get(pk) ?? new Map<string, Item>();
    this.partitions.set(pk, partition);
    if (row) {
      this.items.set(id, row);
      partition.set(id, row);
    } else {
      this.items.delete(id);
      partition.delete(id);
    }
  }

  private commit(pk: string, sk: string, before: Item | undefined, after: Item | undefined): void {
    // A write that changes nothing leaves no trace in the stream.
    if (isEqual(before, after) || (!before && !after)) return;
    this.put(pk, idOf(pk, sk), after);
    this.sequence += 1;
    const committed = { sequence: this.sequence, pk, sk, entity: (after ?? before)?.['entity'], before, after };
    this.pending.push({ visibleAt: this.timeline.now + this.habits.lag(), committed });
    this.onCommit?.(committed);
  }

  /** A view with all that may be seen in it by now. */
  private seen(name: string): View {
    const { now } = this.timeline;
    if (this.pending.length > 0) {
      const visible = this.pending.filter(({ visibleAt }) => visibleAt <= now);
      this.pending = this.pending.filter(({ visibleAt }) => visibleAt > now);
      for (const { committed } of visible) this.show(committed);
    }
    const view = this.views.get(name);
    if (!view) throw new ValidationException(`The table does not have the specified index: ${name}`);
    return view;
  }

  private show({ sequence, pk, sk, after }: Committed): void {
    const id = idOf(pk, sk);
    if ((this.applied.get(id) ?? -1) > sequence) return;
    this.applied.set(id, sequence);
    for (const [name, { partitions, places }] of this.views) {
      const place = places.get(id);
      if (place !== undefined) partitions.get(place)?.delete(id);
      const next = after && (name === 'base' ? pk : after[`${name}Pk`]);
      if (typeof next !== 'string' || !after || (name !== 'base' && after[sortKeyOf(name)] === undefined)) {
        places.delete(id);
        continue;
      }
      places.set(id, next);
      const partition = partitions.get(next) ?? new Map<string, Item>();
      partitions.set(next, partition);
      partition.set(id, name === 'base' ? after : projected(name, after));
    }
  }
}

type TransactionPart = { verb: string; part: Part; pk: string; sk: string; id: string };

const partsOf = ({ TransactItems }: { TransactItems?: Record<string, Part>[] }): TransactionPart[] => {
  const parts = (TransactItems ?? []).flatMap((one) =>
    Object.entries(one).map(([verb, part]) => ({ verb, part, ...keyOf(part) })),
  );
  if (parts.length > 100) throw new ValidationException('Member must have length less than or equal to 100');
  if (new Set(parts.map(({ id }) => id)).size < parts.length) {
    throw new ValidationException('Transaction request cannot include multiple operations on one item');
  }
  return parts;
};

const guarded = <T>(work: () => T): T | { error: Error } => {
  try {
    return work();
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
};

const isAt = (row: Item, key: Item): boolean => row['pk'] === key['pk'] && row['sk'] === key['sk'];

const projected = (index: string, row: Item): Item => {
  const names = ['pk', 'sk', `${index}Pk`, sortKeyOf(index), ...(index === 'due' ? dueProjection : listProjection)];
  return Object.freeze(
    Object.fromEntries(names.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]]))),
  );
};

/** Attributes that are keys of an index must be texts that are not empty. */
const checked = (row: Item): Item => {
  for (const name of ['dueSk', 'listSk', ...indexNames.map((index) => `${index}Pk`)]) {
    const value = row[name];
    if (value !== undefined && (typeof value !== 'string' || value === '')) {
      throw new ValidationException(`${name} is no key of an index`);
    }
  }
  return row;
};

const oldItem = (before: Item | undefined, part: Part) =>
  before && part.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? { Item: marshall(before) } : {};

const cancelled = (CancellationReasons: { Code: string }[]): Answer => ({
  error: new TransactionCanceledException({ message: 'Transaction cancelled', $metadata: {}, CancellationReasons }),
});

/** An error of a service that is told by its name alone. */
export const named = (name: string, message = name): Error => Object.assign(new Error(message), { name });
