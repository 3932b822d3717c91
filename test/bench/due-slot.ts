import { dueShards } from '#core/platform/work/due.ts';
import { type Hanging, hangingAfter, putOffFor } from '#messaging/webhooks/attempt/hanging-sites.ts';
import { deliverWorker } from '#messaging/webhooks/jobs/deliver/worker.ts';
import type { Finding } from './table.ts';

/**
 * Plays a slot at which a million notifications are due, event by event: what the sweep releases, what Lambda takes, how long
 * endpoints take. Settings are those that are deployed; times apart from them are assumed, and named.
 */

/** Milliseconds. Of AWS: what calls within a region usually take. Of endpoints: what shops usually take. */
const assumed = {
  /** One page of 250 rows: a Query, and its 25 calls of SQS side by side. */
  page: 100,
  /** A message of the sweep ends after ten pages, and goes on in another. */
  nextMessage: 200,
  pagesPerMessage: 10,
  /** A batch of ten: its reads, claims and records. */
  aroundBatch: 60,
  healthy: 300,
  refusing: 20,
  /** The time that a hanging endpoint is given. */
  hanging: 15_000,
} as const;

/** Lambda's polling of a queue: five batches at first, and this many more in each minute. */
const [firstPollers, pollersPerMinute] = [5, 300];
const rowsPerPage = 250;

export type DueWebhooks = { deliveries: number; sites: number; hangingShare: number; refusingShare: number };
/** `putsOff`: whether the others of a site wait once it has hung; absent: they do, as deployed. */
export type Settings = { concurrency: number; batchSize: number; putsOff?: boolean };
export type Played = {
  /** Seconds until the last message was in the queue, and until the last attempt had ended. */
  released: number;
  ended: number;
  /** Of attempts at healthy sites: seconds from the slot to their ends, 99 of a hundred; and the last. */
  healthy99: number;
  healthyLast: number;
  /** The most functions that ran at once, and what they ran in all, in seconds. */
  maxAtOnce: number;
  functionSeconds: number;
  /** The number of batches, and of postponements of a delivery. */
  batches: number;
  putOff: number;
};

type Kind = 'healthy' | 'refusing' | 'hanging';

/** Drawn by number, the same in each run. */
const mix = (n: number): number => {
  let mixed = Math.imul(n ^ (n >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
};

/** When the n-th message is in the queue: shards are swept side by side, each page after page. */
const releasedAt = (n: number): number => {
  const page = Math.floor(n / (dueShards * rowsPerPage));
  return (page + 1) * assumed.page + Math.floor(page / assumed.pagesPerMessage) * assumed.nextMessage;
};

/** Yields the events that end, or arrive, first. */
class Heap<T> {
  private readonly entries: { time: number; what: T }[] = [];
  get size(): number {
    return this.entries.length;
  }
  get first(): number {
    return this.entries[0]?.time ?? Number.POSITIVE_INFINITY;
  }
  private timeAt(index: number): number {
    return this.entries[index]?.time ?? Number.POSITIVE_INFINITY;
  }
  push(time: number, what: T): void {
    const { entries } = this;
    const entry = { time, what };
    let at = entries.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = entries[parent];
      if (above === undefined || above.time <= time) break;
      entries[at] = above;
      at = parent;
    }
    entries[at] = entry;
  }
  pop(): { time: number; what: T } | undefined {
    const { entries } = this;
    const [first] = entries;
    const last = entries.pop();
    const size = entries.length;
    if (last === undefined || size === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (this.timeAt(child + 1) < this.timeAt(child)) child += 1;
      const below = entries[child];
      if (below === undefined || below.time >= last.time) break;
      entries[at] = below;
      at = child;
    }
    entries[at] = last;
    return first;
  }
}

const slot = '2026-05-05T12:00:00.000Z';
const slotTime = Date.parse(slot);
const isoAt = (now: number): string => new Date(slotTime + now).toISOString();

/** The known sites that hung, as the table reports them: not before the attempt that hung has ended. */
class HangingSites {
  private readonly noted = new Map<number, { from: number; hanging: Hanging }[]>();
  note(site: number, at: number): void {
    const hanging = hangingAfter(site, slot, isoAt(at));
    if (hanging) this.noted.set(site, [...(this.noted.get(site) ?? []), { from: at, hanging }]);
  }
  at(site: number, now: number): Hanging | undefined {
    return this.noted.get(site)?.findLast(({ from }) => from <= now)?.hanging;
  }
}

/** The messages of a slot in the order in which they can be taken: as the sweep releases them, and again what was put off. */
class Waiting {
  private next = 0;
  private readonly again = new Heap<number>();
  private readonly deliveries: number;
  constructor(deliveries: number) {
    this.deliveries = deliveries;
  }
  private get released(): number {
    return this.next < this.deliveries ? releasedAt(this.next) : Number.POSITIVE_INFINITY;
  }
  get first(): number {
    return Math.min(this.released, this.again.first);
  }
  putOff(n: number, until: number): void {
    this.again.push(until, n);
  }
  take(now: number, most: number): number[] {
    const taken: number[] = [];
    while (taken.length < most && this.first <= now) {
      if (this.released <= this.again.first) {
        taken.push(this.next);
        this.next += 1;
      } else taken.push(this.again.pop()?.what ?? 0);
    }
    return taken;
  }
  /** When so many could be taken at once, or as many as there will be. */
  fullAt(most: number): number {
    const last = Math.min(this.deliveries, this.next + most) - 1;
    return this.next < this.deliveries ? releasedAt(last) : this.again.first;
  }
}

/** Plays one slot; messages are taken in the order in which they came, as if SQS made no difference between sites. */
export const playSlot = (
  { deliveries, sites, hangingShare, refusingShare }: DueWebhooks,
  { concurrency, batchSize, putsOff = true }: Settings,
): Played => {
  const kindOf = (n: number): Kind => {
    const chance = mix((n % sites) + 1);
    return chance < hangingShare ? 'hanging' : chance < hangingShare + refusingShare ? 'refusing' : 'healthy';
  };
  const [running, waiting, hangingSites] = [new Heap<null>(), new Waiting(deliveries), new HangingSites()];
  const healthy: number[] = [];
  let [now, maxAtOnce, functionSeconds, ended, batches, putOff] = [0, 0, 0, 0, 0, 0];
  while (waiting.first < Number.POSITIVE_INFINITY) {
    now = Math.max(now, waiting.fullAt(batchSize));
    const pollers = () => Math.min(concurrency, firstPollers + Math.floor((now / 60_000) * pollersPerMinute));
    while (running.size > 0 && (running.first <= now || running.size >= pollers())) {
      now = Math.max(now, running.pop()?.time ?? 0);
    }
    let longest = 0;
    for (const n of waiting.take(now, batchSize)) {
      const [kind, site] = [kindOf(n), n % sites];
      const hanging = putsOff && kind === 'hanging' ? hangingSites.at(site, now) : undefined;
      const delay = putOffFor({ deliveryId: `ntf_${n}`, slot }, hanging, isoAt(now));
      if (delay !== undefined) {
        waiting.putOff(n, now + delay * 1000);
        putOff += 1;
        continue;
      }
      longest = Math.max(longest, assumed[kind]);
      if (kind === 'healthy') healthy.push(now + assumed.aroundBatch + assumed.healthy);
      if (kind === 'hanging') hangingSites.note(site, now + assumed.aroundBatch + assumed.hanging);
    }
    const end = now + assumed.aroundBatch + longest;
    running.push(end, null);
    batches += 1;
    maxAtOnce = Math.max(maxAtOnce, running.size);
    functionSeconds += (end - now) / 1000;
    ended = Math.max(ended, end);
  }
  const sorted = Float64Array.from(healthy).sort();
  return {
    released: releasedAt(deliveries - 1) / 1000,
    ended: ended / 1000,
    healthy99: (sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0) / 1000,
    healthyLast: (sorted.at(-1) ?? 0) / 1000,
    maxAtOnce,
    functionSeconds,
    batches,
    putOff,
  };
};

const million: DueWebhooks = { deliveries: 1_000_000, sites: 10_000, hangingShare: 0.01, refusingShare: 0.02 };
const goalSeconds = 300;
/** USD: of a gigabyte-second and of a call of a function, of a request to SQS (us-east-1). */
const [gigabyteSecond, invocation, request] = [13.3334e-6, 0.2e-6, 0.4e-6];

const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, '0')}`;

const toFinding = (what: string, due: DueWebhooks, settings: Settings, isPromised: boolean): Finding => {
  const played = playSlot(due, settings);
  const memory = deliverWorker.memoryMegabytes / 1024;
  const cost =
    played.functionSeconds * memory * gigabyteSecond +
    played.batches * (invocation + 3 * request) +
    played.putOff * 2 * request;
  return {
    what,
    measured: `released ${clock(played.released)}, healthy p99 ${clock(played.healthy99)}, last ${clock(played.ended)}; ${played.maxAtOnce} at once, ${cost.toFixed(2)} USD`,
    goal: isPromised ? `healthy p99 within ${clock(goalSeconds)}` : '',
    isMet: isPromised ? played.healthy99 <= goalSeconds : null,
  };
};

/** The million as it is deployed, and with each setting moved. */
export const measureDueSlot = (): Finding[] => {
  const { batchSize, maximumConcurrency: concurrency } = deliverWorker.on;
  const deployed = { batchSize, concurrency };
  return [
    toFinding(`A million due, ${concurrency} functions of ${batchSize}`, million, deployed, true),
    toFinding('the same, nobody is put off', million, { ...deployed, putsOff: false }, false),
    toFinding('the same, no site hangs', { ...million, hangingShare: 0 }, deployed, false),
    toFinding('the same, 5 in a hundred sites hang', { ...million, hangingShare: 0.05 }, deployed, false),
    toFinding('the same, one at a time', million, { ...deployed, batchSize: 1 }, false),
    ...[400, 600, 1000].map((more) =>
      toFinding(`the same, ${more} functions`, million, { ...deployed, concurrency: more }, false),
    ),
  ];
};
