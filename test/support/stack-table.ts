import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { isFields } from '#core/kernel/is-object.ts';
import type { TableDefinition } from '#lib/local/aws/table-definition.ts';
import type { Tables } from '#lib/local/aws/tables.ts';
import type { Clock } from '#lib/local/clock.ts';
import type { Change, Stream, StreamPage } from '#lib/local/events/stream-reader.ts';
import { region } from '#lib/local/template/resolver.ts';
import { type Answer, type Committed, Table } from '#test/simulation/world/dynamo.ts';
import type { Item } from '#test/simulation/world/expressions.ts';
import { checkRequest } from '#test/simulation/world/requests.ts';
import { watch } from './secret-leak-scan.ts';

type Fields = Record<string, unknown>;

/** The content of the data folder while the stack is off: the rows, and the stream with its name and its last number. */
type Kept = { incarnation: number; sequence: number; rows: Item[]; records: Change[] };

const empty = (incarnation: number): Kept => ({ incarnation, sequence: 0, rows: [], records: [] });
/** As many as from the emulator. */
const pageSize = 500;

/** The table of a local stack, in memory, with its stream. A file has it when the stack starts again. */
export class StackTable {
  private readonly definition: TableDefinition;
  private readonly clock: Clock;
  private readonly file: string;
  private table: Table;
  private kept: Omit<Kept, 'rows'>;
  private token = 0;
  /** The writes, for the scan for secrets. */
  private readonly written: Item[] = [];

  constructor(definition: TableDefinition, dataFolder: string, clock: Clock) {
    this.definition = definition;
    this.clock = clock;
    this.file = join(dataFolder, `${definition.TableName}.rows`);
    const { rows, ...kept }: Kept = existsSync(this.file) ? deserialize(readFileSync(this.file)) : empty(1);
    this.kept = kept;
    this.table = this.tableOf(rows);
  }

  get name(): string {
    return this.definition.TableName;
  }

  /** Does what a command of the document client asks for. Throws, or answers with, what DynamoDB would refuse it with. */
  perform(command: string, input: Fields, answer: (given: Answer) => void): void {
    checkRequest(this.name, command, input);
    this.token += 1;
    this.table.perform(command, input, this.token, answer);
  }

  /** The same for the stack itself, in whose calls no transaction is in the way. */
  performAtOnce(command: string, input: Fields): Fields {
    let value: unknown;
    this.perform(command, input, (given) => {
      if ('error' in given) throw given.error;
      value = given.value;
    });
    return isFields(value) ? value : {};
  }

  clear(): void {
    this.kept = empty(this.kept.incarnation + 1);
    this.table = this.tableOf([]);
  }

  /** Deletes what has outlived its time to live; returns how many rows that were. */
  expire(): number {
    const { AttributeName: attribute, Enabled: isEnabled } = this.definition.TimeToLiveSpecification ?? {};
    if (!isEnabled || attribute === undefined) return 0;
    const now = Math.floor(this.clock.now() / 1000);
    const expired = [...this.table.items.values()].filter((row) => Number(row[attribute] ?? now) < now);
    for (const { pk, sk } of expired) this.performAtOnce('DeleteCommand', { TableName: this.name, Key: { pk, sk } });
    return expired.length;
  }

  stream(): Stream {
    const { arn } = this;
    return { arn, shardId: 'shard-1', after: async (position) => this.page(position) };
  }

  version(): number {
    return this.kept.sequence;
  }

  forgetStream(before: number): void {
    this.kept.records = this.kept.records.filter((record) => Number(streamPlace(record)) >= before);
  }

  close(): void {
    const kept: Kept = { ...this.kept, rows: [...this.table.items.values()] };
    writeFileSync(this.file, serialize(kept));
    watch('the rows of the table', this.written.map((row) => JSON.stringify(marshall(row))).join('\n'));
  }

  private tableOf(rows: readonly Item[]): Table {
    const table = new Table({ now: 0, after: () => undefined }, { lag: () => 0, lock: () => 0 }, rows);
    table.onCommit = (committed) => this.take(committed);
    return table;
  }

  private take(committed: Committed): void {
    const { before, after } = committed;
    if (after) this.written.push(newIn(after, before));
    this.kept.sequence += 1;
    if (!isDeepStrictEqual(before, after)) this.kept.records.push(toChange(committed, this.kept.sequence, this.arn));
  }

  private get arn(): string {
    return `arn:aws:dynamodb:${region}:000000000000:table/${this.name}/stream/${this.kept.incarnation}`;
  }

  private page(position = ''): StreamPage | undefined {
    const { records } = this.kept;
    const start = records.findLastIndex((record) => streamPlace(record) <= position) + 1;
    const changes = records.slice(start, start + pageSize);
    const last = changes.at(-1);
    if (!last) return undefined;
    const isFull = changes.length === pageSize;
    const upTo = isFull ? last.dynamodb.ApproximateCreationDateTime * 1000 - 1 : Date.now();
    return { changes, end: streamPlace(last), upTo, isFull };
  }
}

const streamPlace = ({ dynamodb }: Change): string => dynamodb.SequenceNumber;

/** Returns what a write has put into a row: the rest was there, and scanned, before. */
const newIn = (after: Item, before: Item | undefined): Item =>
  before ? Object.fromEntries(Object.entries(after).filter(([name, value]) => before[name] !== value)) : after;

const toChange = ({ pk, sk, before, after }: Committed, sequence: number, arn: string): Change => {
  const SequenceNumber = String(sequence).padStart(21, '0');
  return {
    eventID: SequenceNumber,
    eventName: before ? (after ? 'MODIFY' : 'REMOVE') : 'INSERT',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: region,
    eventSourceARN: arn,
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(Date.now() / 1000),
      Keys: marshall({ pk, sk }),
      ...(after && { NewImage: marshall(after) }),
      ...(before && { OldImage: marshall(before) }),
      SequenceNumber,
      StreamViewType: 'NEW_AND_OLD_IMAGES',
    },
  };
};

/** A stack's tables, as those in an emulator are. `url`: of a client that is only asked for what is answered here. */
export const makeTables = (tables: readonly StackTable[], url: string): Tables => {
  const of = (name: string): StackTable => {
    const found = tables.find((table) => table.name === name);
    if (!found) throw new Error(`The stack has no table ${name}`);
    return found;
  };
  const client = new DynamoDBClient({ region, endpoint: url });
  return {
    client: Object.assign(client, { send: (command: Command) => sendTo(of(tableIn(command)), command) }),
    names: tables.map(({ name }) => name),
    create: async () => undefined,
    clear: async () => {
      for (const table of tables) table.clear();
    },
    openStream: async (name) => of(name).stream(),
    version: () => tables[0]?.version(),
    forgetStream: (name, before) => of(name).forgetStream(before),
    expire: async () => tables.reduce((count, table) => count + table.expire(), 0),
    close: () => {
      client.destroy();
      for (const table of tables) table.close();
    },
  };
};

type Command = { constructor: { name: string }; input: Fields };

/** All parts of a transaction are of one table. */
const tableIn = ({ input: { TableName, TransactItems } }: Command): string => {
  const [first] = Array.isArray(TransactItems) ? TransactItems.flatMap((one: Fields) => Object.values(one)) : [];
  return String(TableName ?? (isFields(first) && first['TableName']));
};

/** The stack itself, and tests, have a client that knows DynamoDB's own notation alone. */
const sendTo = async (table: StackTable, { constructor: { name }, input }: Command): Promise<Fields> => {
  const { Item: found } = table.performAtOnce(name.replace(/Items?Command$/, 'Command'), plain(input));
  return isFields(found) ? { Item: marshall(found) } : {};
};

/** A request, or a part of a transaction, as the document client takes it. */
const plain = (request: Fields): Fields =>
  Object.fromEntries(
    Object.entries(request).map(([name, value]) => {
      if (Array.isArray(value)) return [name, value.map((part) => (isFields(part) ? plain(part) : part))];
      if (!isFields(value)) return [name, value];
      return [name, inNotation.has(name) ? unmarshall(value as Image) : plain(value)];
    }),
  );

const inNotation: ReadonlySet<string> = new Set(['Item', 'Key', 'ExpressionAttributeValues']);
type Image = Parameters<typeof unmarshall>[0];
