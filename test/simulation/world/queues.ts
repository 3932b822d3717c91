import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { maxReceipts } from '#core/platform/operation/worker.ts';
import { sqsRecord } from '#test/support/sqs-record.ts';
import type { Faults } from './faults.ts';
import { failedAt, type Handler, type Lambda } from './lambda.ts';
import { type Random, seedRandom } from './random.ts';
import type { Timeline } from './timeline.ts';

type Message = { id: string; body: string; visibleAt: number; receipts: number };
type Consumer = {
  name: string;
  handler: Handler<SQSEvent, SQSBatchResponse>;
  timeoutSeconds: number;
  batchSize: number;
  maximumConcurrency: number;
};
type Queue = Consumer & {
  queue: string;
  visibility: number;
  messages: Message[];
  dead: string[];
  running: number;
  sent: number;
  random: Random;
};

type Means = { seed: number; timeline: Timeline; faults: Faults; lambda: Lambda; note: (line: string) => void };

/** SQS with the functions that it feeds: messages come at least once, in no order, and five times at most. */
export class Queues {
  private readonly queues = new Map<string, Queue>();
  private readonly means: Means;
  /** The longest time (ms) that messages wait behind others that were sent before, by queue. */
  readonly backlogs = new Map<string, number>();
  /** Is shown each message. */
  onMessage: (queue: string, body: string) => void = () => undefined;

  constructor(means: Means) {
    this.means = means;
  }

  /** As lib/cloud/queues.ts declares them. */
  feed(queue: string, consumer: Consumer): void {
    const visibility = 6 * Math.max(20, consumer.timeoutSeconds) * 1000;
    const random = seedRandom(this.means.seed, `queue ${queue}`);
    this.queues.set(queue, { ...consumer, queue, visibility, messages: [], dead: [], running: 0, sent: 0, random });
  }

  /** Messages that were given up, by queue. */
  deadLetters(): [string, string[]][] {
    return [...this.queues.values()].flatMap(({ queue, dead }) => (dead.length > 0 ? [[queue, dead]] : []));
  }

  /** Checks whether no message is left anywhere. */
  isEmpty(): boolean {
    return [...this.queues.values()].every(({ messages, running }) => messages.length === 0 && running === 0);
  }

  send(name: string, body: string, delaySeconds = 0): void {
    const queue = this.queues.get(name);
    this.onMessage(name, body);
    // This world has no such queue.
    if (!queue) return;
    queue.sent += 1;
    const place = `${name} message ${queue.sent}`;
    const random = seedRandom(this.means.seed, place);
    const { faults } = this.means;
    if (faults.strikes('message lost', place, random)) return;
    const late = faults.strikes('message late', place, random) ? random.next() * 15 * 60_000 : 0;
    const backlog = this.backlogs.get(name);
    const delay = delaySeconds * 1000 + 1 + random.next() * 20 + late + (backlog ? random.next() * backlog : 0);
    this.arrive(queue, `${name}-${queue.sent}`, body, delay);
    if (faults.strikes('message doubled', place, random)) {
      const more = random.chance(0.5)
        ? random.next() * 30
        : random.next() * (random.chance(0.5) ? 3000 : 14 * 3_600_000);
      this.arrive(queue, `${name}-${queue.sent}-again`, body, delay + more);
    }
  }

  private arrive(queue: Queue, id: string, body: string, delay: number): void {
    const { timeline } = this.means;
    queue.messages.push({ id, body, visibleAt: timeline.now + delay, receipts: 0 });
    timeline.after(delay, () => this.poll(queue));
  }

  private poll(queue: Queue): void {
    const { timeline, faults } = this.means;
    const ready = queue.messages.filter(({ visibleAt }) => visibleAt <= timeline.now);
    if (ready.length === 0 || queue.running >= queue.maximumConcurrency) return;
    const batch = ready.slice(0, 1 + queue.random.int(queue.batchSize));
    if (queue.random.chance(0.2)) batch.reverse();
    const taken = batch.filter((message) => this.receive(queue, message));
    if (ready.length > batch.length) timeline.after(1, () => this.poll(queue));
    const [first] = taken;
    if (!first) return;
    if (faults.strikes('function throttled', `${first.id} receipt ${first.receipts}`, queue.random)) return;
    this.invoke(queue, taken);
  }

  /** Takes a message until it becomes visible again; false for one that has been tried often enough. */
  private receive(queue: Queue, message: Message): boolean {
    const { timeline, note } = this.means;
    if (message.receipts >= maxReceipts) {
      queue.messages.splice(queue.messages.indexOf(message), 1);
      queue.dead.push(message.body);
      note(`DEAD LETTER ${queue.queue} ${message.body}`);
      return false;
    }
    message.receipts += 1;
    message.visibleAt = timeline.now + queue.visibility;
    timeline.after(queue.visibility, () => this.poll(queue));
    return true;
  }

  private invoke(queue: Queue, taken: readonly Message[]): void {
    const { lambda, faults, timeline } = this.means;
    queue.running += 1;
    const event = { Records: taken.map(({ id, body, receipts }) => sqsRecord(id, body, receipts)) };
    lambda.invoke(queue, queue.handler, event, (end) => {
      queue.running -= 1;
      const failed = failedAt(
        end,
        taken.map(({ id }) => id),
      );
      for (const message of taken) {
        if (failed === 'all' || failed.has(message.id)) continue;
        if (faults.strikes('deletion lost', `${message.id} receipt ${message.receipts}`, queue.random)) continue;
        const index = queue.messages.indexOf(message);
        if (index >= 0) queue.messages.splice(index, 1);
      }
      timeline.after(1, () => this.poll(queue));
    });
  }
}
