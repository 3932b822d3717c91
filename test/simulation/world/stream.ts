import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { untakenRecords } from '#lib/local/events/batch-failures.ts';
import { fits } from '#lib/local/events/pattern.ts';
import type { Committed } from './dynamo.ts';
import type { Faults } from './faults.ts';
import { lazyImage } from './images.ts';
import { failedAt, type Handler, type Lambda } from './lambda.ts';
import { hashText, type Random, seedRandom } from './random.ts';
import type { Timeline } from './timeline.ts';

type Consumer = {
  name: string;
  handler: Handler<DynamoDBStreamEvent, DynamoDBBatchResponse>;
  timeoutSeconds: number;
  batchSize: number;
  entities: readonly string[];
  /** Patterns of which a record must fit one. */
  filters: readonly unknown[];
  isNeverGivenUp?: true | undefined;
  /** The wait for a batch. */
  batchingWindowSeconds?: number | undefined;
};
type Streamed = { sequence: number; entity: string; record: DynamoDBRecord; writtenAt: number };
/** Closed once it has children: what is written from then on goes to these. */
type Shard = { id: number; depth: number; records: Streamed[]; children: readonly [Shard, Shard] | undefined };
/** One consumer at one shard. */
type Reader = Consumer & {
  shard: Shard;
  /** The reader of the shard that this one was split from. */
  parent: Reader | undefined;
  position: number;
  isBusy: boolean;
  /** A reader will ask for records in a moment. */
  isAwaited: boolean;
  /** The most records that come next: fewer after a failure. */
  most: number;
  random: Random;
};
/** `rest`: the records to read again; `isWhole`: the function did not say which of them failed. */
type Failed = Record<'wanted' | 'rest', readonly Streamed[]> & { end: number; retries: number; isWhole: boolean };
type Means = { seed: number; timeline: Timeline; faults: Faults; lambda: Lambda; note: (line: string) => void };

const shardCount = 3;
const maxDepth = 3;
/** A stream keeps records for a day: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html */
const keptFor = 24 * 3_600_000;
/** As lib/cloud/event-sources.ts has it. */
const maxRetries = 10;

/**
 * The table's stream: shards in their order, each batch until it is done or given up. A shard that is split is read to its end before its
 * children are: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html
 */
export class Stream {
  /** Records that no reader could do. */
  lost = 0;
  private readonly roots: Shard[] = Array.from({ length: shardCount }, (_, id) => makeShard(id, 0));
  private made = shardCount;
  private readonly readers = new Map<string, Reader[]>();
  private readonly means: Means;

  constructor(means: Means) {
    this.means = means;
  }

  feed(consumer: Consumer): void {
    for (const shard of this.roots) this.open(consumer, shard, undefined);
  }

  private open(consumer: Consumer, shard: Shard, parent: Reader | undefined): void {
    const random = seedRandom(this.means.seed, `${consumer.name} shard ${shard.id}`);
    const most = consumer.batchSize;
    const reader: Reader = { ...consumer, shard, parent, position: 0, isBusy: false, isAwaited: false, most, random };
    for (const entity of new Set(consumer.entities)) {
      this.readers.set(entity, [...(this.readers.get(entity) ?? []), reader]);
    }
  }

  /** Splits a shard; each of its readers gets one for each child. */
  private split(shard: Shard): void {
    const [one, other] = [makeShard(this.made, shard.depth + 1), makeShard(this.made + 1, shard.depth + 1)];
    this.made += 2;
    shard.children = [one, other];
    const readers = new Set([...this.readers.values()].flat().filter((reader) => reader.shard === shard));
    for (const reader of readers) for (const child of shard.children) this.open(reader, child, reader);
    this.means.note(`STREAM SPLITS shard ${shard.id} into ${one.id} and ${other.id}`);
  }

  /** The open shard of a key. */
  private shardFor(pk: string): Shard {
    const [root] = this.roots.slice(hashText(pk) % shardCount);
    if (!root) throw new Error('There is no shard');
    let shard = root;
    for (let bits = hashText(`split ${pk}`); shard.children; bits >>>= 1) shard = shard.children[(bits & 1) as 0 | 1];
    return shard;
  }

  write({ sequence, pk, entity, before, after }: Committed): void {
    if (typeof entity !== 'string') return;
    if (!this.readers.has(entity)) return;
    const { faults, seed, timeline } = this.means;
    const open = this.shardFor(pk);
    if (
      open.depth < maxDepth &&
      faults.strikes('shard split', `record ${sequence}`, seedRandom(seed, `split ${sequence}`))
    )
      this.split(open);
    const shard = this.shardFor(pk);
    shard.records.push({ sequence, entity, record: toRecord(sequence, before, after), writtenAt: timeline.now });
    for (const reader of this.readers.get(entity) ?? []) {
      if (reader.shard !== shard) continue;
      const isLate = faults.strikes('stream late', `${reader.name} record ${sequence}`, reader.random);
      if (reader.isAwaited) continue;
      reader.isAwaited = true;
      const window = 1000 * (reader.batchingWindowSeconds ?? 0);
      timeline.after(5 + window + reader.random.next() * (isLate ? 5000 : 150), () => {
        reader.isAwaited = false;
        if (!reader.isBusy) this.read(reader, 0);
      });
    }
  }

  private read(reader: Reader, retries: number): void {
    const { records } = reader.shard;
    if (reader.parent && !isDrained(reader.parent)) return;
    this.trim(reader);
    const wanted = unread(reader).slice(0, reader.most);
    const last = wanted.at(-1);
    reader.isBusy = last !== undefined;
    if (!last) {
      reader.position = records.length;
      for (const child of this.childrenOf(reader)) if (!child.isBusy) this.read(child, 0);
      return;
    }
    const end = records.indexOf(last) + 1;
    const { lambda, faults, timeline } = this.means;
    const place = `${reader.name} shard ${reader.shard.id} at ${wanted[0]?.sequence}`;
    const event = { Records: wanted.map(({ record }) => record) };
    if (faults.strikes('stream twice at once', `${place} try ${retries}`, reader.random)) {
      timeline.after(reader.random.next() * 30, () => lambda.invoke(reader, reader.handler, event, () => undefined));
    }
    lambda.invoke(reader, reader.handler, event, (ended) => {
      const failed = failedAt(ended, wanted.map(identify));
      const rest = untakenRecords(wanted, failed, identify);
      if (rest.length > 0) return this.again(reader, { wanted, rest, end, retries, isWhole: failed === 'all' });
      if (faults.strikes('stream doubled', `${place} try ${retries}`, reader.random)) {
        timeline.after(10, () => this.read(reader, retries));
        return;
      }
      reader.position = end;
      reader.most = reader.batchSize;
      timeline.after(1, () => this.read(reader, 0));
    });
  }

  /** Skips what the stream no longer keeps. */
  private trim(reader: Reader): void {
    const { records } = reader.shard;
    const isTrimmed = ({ writtenAt }: Streamed) => this.means.timeline.now - writtenAt > keptFor;
    const trimmed = unread(reader).filter(isTrimmed);
    const last = trimmed.at(-1);
    if (!last) return;
    this.lost += trimmed.length;
    this.means.note(`STREAM TRIMS ${reader.name} ${trimmed.map(({ sequence }) => sequence)}`);
    reader.position = records.indexOf(last) + 1;
  }

  private childrenOf(reader: Reader): Set<Reader> {
    if (!reader.shard.children) return new Set();
    return new Set([...this.readers.values()].flat().filter(({ parent }) => parent === reader));
  }

  /** From the record that failed on; all of them if the function did not say which, and then in halves. */
  private again(reader: Reader, { wanted, rest, end, retries, isWhole }: Failed): void {
    const { timeline, note } = this.means;
    const [from] = rest;
    let tries = retries + 1;
    if (from && rest.length < wanted.length) {
      reader.position = reader.shard.records.indexOf(from);
      tries = 0;
    } else if (isWhole) reader.most = Math.max(1, wanted.length >> 1);
    if (tries > maxRetries && !reader.isNeverGivenUp) {
      note(`STREAM GIVES UP ${reader.name} ${wanted.map(({ sequence }) => sequence)}`);
      this.lost += 1;
      reader.position = end;
      tries = 0;
    }
    timeline.after(Math.min(60_000, 500 * 2 ** tries), () => this.read(reader, tries));
  }
}

const makeShard = (id: number, depth: number): Shard => ({ id, depth, records: [], children: undefined });

/** The records that a reader still wants. */
const unread = ({ shard, position, entities, filters }: Reader): Streamed[] =>
  shard.records
    .slice(position)
    .filter(({ entity, record }) => entities.includes(entity) && filters.some((filter) => fits(filter, record)));

/** Checks whether a closed shard was read to its end. */
const isDrained = (reader: Reader): boolean =>
  !reader.isBusy && unread(reader).length === 0 && (!reader.parent || isDrained(reader.parent));

const identify = ({ sequence }: Streamed): string => padNumber(sequence);

const padNumber = (sequence: number): string => String(sequence).padStart(21, '0');

const toRecord = (sequence: number, before: Committed['before'], after: Committed['after']): DynamoDBRecord => ({
  eventID: padNumber(sequence),
  eventName: before ? (after ? 'MODIFY' : 'REMOVE') : 'INSERT',
  eventSourceARN: 'arn:aws:dynamodb:eu-west-1:000000000000:table/simulation/stream/2026',
  dynamodb: {
    SequenceNumber: padNumber(sequence),
    // Lambda's typings describe the same notation as the SDK's, only less exactly.
    ...(before && { OldImage: lazyImage(before) as Image }),
    ...(after && { NewImage: lazyImage(after) as Image }),
  },
});

type Image = NonNullable<NonNullable<DynamoDBRecord['dynamodb']>['NewImage']>;
