import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { fits } from '#lib/local/events/pattern.ts';
import type { Committed } from './dynamo.ts';
import type { Faults } from './faults.ts';
import { imageOf } from './images.ts';
import type { Handler, Lambda } from './lambda.ts';
import { hashOf, type Random, randomOf } from './random.ts';
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
type Streamed = { sequence: number; entity: string; record: DynamoDBRecord };
/** One consumer at one shard. */
type Reader = Consumer & {
  shard: number;
  position: number;
  isBusy: boolean;
  /** A reader will ask for records in a moment. */
  isAwaited: boolean;
  /** The most records that come next: fewer after a failure. */
  most: number;
  random: Random;
};
type Means = { seed: number; timeline: Timeline; faults: Faults; lambda: Lambda; note: (line: string) => void };

const shardCount = 3;
/** As lib/cloud/event-sources.ts has it. */
const maxRetries = 10;

/** The table's stream: shards in their order, each batch until it is done or given up. */
export class Stream {
  /** Records that no reader could do. */
  lost = 0;
  private readonly shards: Streamed[][] = Array.from({ length: shardCount }, () => []);
  private readonly readers = new Map<string, Reader[]>();
  private readonly means: Means;

  constructor(means: Means) {
    this.means = means;
  }

  feed(consumer: Consumer): void {
    for (let shard = 0; shard < shardCount; shard += 1) {
      const random = randomOf(this.means.seed, `${consumer.name} shard ${shard}`);
      const most = consumer.batchSize;
      const reader: Reader = { ...consumer, shard, position: 0, isBusy: false, isAwaited: false, most, random };
      for (const entity of new Set(consumer.entities)) {
        this.readers.set(entity, [...(this.readers.get(entity) ?? []), reader]);
      }
    }
  }

  write({ sequence, pk, entity, before, after }: Committed): void {
    if (typeof entity !== 'string') return;
    const wanting = this.readers.get(entity);
    if (!wanting) return;
    const shard = hashOf(pk) % shardCount;
    this.shards[shard]?.push({ sequence, entity, record: recordOf(sequence, before, after) });
    for (const reader of wanting) {
      if (reader.shard !== shard) continue;
      const isLate = this.means.faults.strikes('stream late', `${reader.name} record ${sequence}`, reader.random);
      if (reader.isAwaited) continue;
      reader.isAwaited = true;
      const window = 1000 * (reader.batchingWindowSeconds ?? 0);
      this.means.timeline.after(5 + window + reader.random.next() * (isLate ? 5000 : 150), () => {
        reader.isAwaited = false;
        if (!reader.isBusy) this.read(reader, 0);
      });
    }
  }

  private read(reader: Reader, retries: number): void {
    const records = this.shards[reader.shard] ?? [];
    const isWanted = ({ entity, record }: Streamed) =>
      reader.entities.includes(entity) && reader.filters.some((filter) => fits(filter, record));
    const wanted = records.slice(reader.position).filter(isWanted).slice(0, reader.most);
    const last = wanted.at(-1);
    reader.isBusy = last !== undefined;
    if (!last) {
      reader.position = records.length;
      return;
    }
    const end = records.indexOf(last) + 1;
    const { lambda, faults, timeline } = this.means;
    const place = `${reader.name} shard ${reader.shard} at ${wanted[0]?.sequence}`;
    const event = { Records: wanted.map(({ record }) => record) };
    if (faults.strikes('stream twice at once', `${place} try ${retries}`, reader.random)) {
      timeline.after(reader.random.next() * 30, () => lambda.invoke(reader, reader.handler, event, () => undefined));
    }
    lambda.invoke(reader, reader.handler, event, (ended) => {
      const failed = ended.kind === 'done' ? ended.value.batchItemFailures[0]?.itemIdentifier : 'all';
      if (failed !== undefined) return this.again(reader, { wanted, end, failed, retries });
      if (faults.strikes('stream doubled', `${place} try ${retries}`, reader.random)) {
        timeline.after(10, () => this.read(reader, retries));
        return;
      }
      reader.position = end;
      reader.most = reader.batchSize;
      timeline.after(1, () => this.read(reader, 0));
    });
  }

  /** From the record that failed on; all of them if the function did not say which, and then in halves. */
  private again(
    reader: Reader,
    { wanted, end, failed, retries }: { wanted: readonly Streamed[]; end: number; failed: string; retries: number },
  ): void {
    const { timeline, note } = this.means;
    const records = this.shards[reader.shard] ?? [];
    const first = wanted.findIndex(({ record }) => record.dynamodb?.SequenceNumber === failed);
    const from = wanted[first];
    let tries = retries + 1;
    if (from && first > 0) {
      reader.position = records.indexOf(from);
      tries = 0;
    } else if (!from) reader.most = Math.max(1, wanted.length >> 1);
    if (tries > maxRetries && !reader.isNeverGivenUp) {
      note(`STREAM GIVES UP ${reader.name} ${wanted.map(({ sequence }) => sequence)}`);
      this.lost += 1;
      reader.position = end;
      tries = 0;
    }
    timeline.after(Math.min(60_000, 500 * 2 ** tries), () => this.read(reader, tries));
  }
}

const numberOf = (sequence: number): string => String(sequence).padStart(21, '0');

const recordOf = (sequence: number, before: Committed['before'], after: Committed['after']): DynamoDBRecord => ({
  eventID: numberOf(sequence),
  eventName: before ? (after ? 'MODIFY' : 'REMOVE') : 'INSERT',
  eventSourceARN: 'arn:aws:dynamodb:eu-west-1:000000000000:table/simulation/stream/2026',
  dynamodb: {
    SequenceNumber: numberOf(sequence),
    // Lambda's typings describe the same notation as the SDK's, only less exactly.
    ...(before && { OldImage: imageOf(before) as Image }),
    ...(after && { NewImage: imageOf(after) as Image }),
  },
});

type Image = NonNullable<NonNullable<DynamoDBRecord['dynamodb']>['NewImage']>;
