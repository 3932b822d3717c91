import type { Answer, Committed } from './dynamo.ts';
import { cancelledAnswer, errorNamed, Table } from './dynamo.ts';
import type { Item } from './expressions.ts';
import { type Fault, Faults, type Rates } from './faults.ts';
import { currentRun, type Invocation, Lambda, within } from './lambda.ts';
import { Network, type Reply } from './network.ts';
import { PartitionMeter, partitionLimits, toCharges } from './partition-meter.ts';
import { Queues } from './queues.ts';
import { hashText, type Random, seedRandom } from './random.ts';
import { Schedules } from './schedules.ts';
import { Stream } from './stream.ts';
import { Timeline } from './timeline.ts';

export type Service = 'dynamo' | 'sqs' | 'ses' | 'scheduler' | 'secrets';
export type Mail = { to: string; text: string; time: number; run: Invocation };

export type Setting = {
  seed: number;
  rates?: Rates;
  /** Only these faults strike: see Faults. */
  only?: ReadonlySet<string>;
  rows?: Iterable<Item>;
  /** The content of the secrets, by identifier. */
  secrets: Readonly<Record<string, string>>;
  start: number;
  /** True if what happens is written down. */
  isTraced?: boolean;
};

/** The most (ms) by which clocks may be off for every invariant to hold. */
export const usualSkew = 5000;
/** The SDK's `maxAttempts`. */
const maxAttempts = 3;
/** Which faults a call of AWS can meet, one at most. */
const faultsOfCalls = [
  'killed before',
  'killed after',
  'request lost',
  'answer lost',
  'throttled',
  'call hangs',
] as const satisfies readonly Fault[];

const stacks = /"stack":"(?:[^"\\]|\\.)*"/g;

const never = (): Promise<never> => new Promise(() => undefined);

/** Some milliseconds mostly, now and then many. */
const latency = (random: Random): number => {
  const chance = random.next();
  if (chance < 0.92) return 0.5 + chance * 5;
  return chance < 0.995 ? 10 + random.next() * 60 : 100 + random.next() * 1500;
};

/** AWS and the rest of the world as one history meets them; everything follows from the seed. */
export class World {
  readonly timeline: Timeline;
  readonly faults: Faults;
  readonly table: Table;
  readonly lambda: Lambda;
  readonly queues: Queues;
  readonly stream: Stream;
  readonly schedules: Schedules;
  readonly network = new Network();
  /** In a fifth of the histories whose calls are throttled, partitions take a twentieth of what they do. */
  private readonly partitions: PartitionMeter;
  /**
   * The largest error (ms) of a machine's clock. In a few histories by minutes: then work is repeated whose lease seems to have ended, and
   * nothing else may happen.
   */
  readonly maxSkew: number;
  /** The content of the secrets now, by identifier. */
  readonly secrets: Record<string, string>;
  /** The keys that providers sign with, by secret, where that is not the first. */
  readonly signingKeys = new Map<string, string>();
  /** The calls whose signature was refused although its key was valid. */
  readonly refused: string[] = [];
  readonly mails: Mail[] = [];
  /** The errors that functions ended with, by message. */
  readonly errors = new Map<string, number>();
  readonly trace: string[] = [];
  readonly seed: number;
  /** Judges a call of a function, by its name, as its role does on AWS; undefined: it is allowed. */
  judge: (name: string, service: Service, command: string, input: object) => Error | undefined = () => undefined;
  /** The calls that their functions are not granted. */
  readonly denied = new Set<string>();
  /** Is shown each line of the log, and each message. */
  onText: (where: string, text: string) => void = () => undefined;
  /** Called with each write of the table, after the stream. */
  onCommit: (committed: Committed) => void = () => undefined;
  calls = 0;
  /** Changes with whatever happens, in its order: two histories with the same one went alike. */
  digest = 2_166_136_261;
  readonly isTraced: boolean;

  constructor(setting: Setting) {
    const { seed, start, isTraced = false } = setting;
    this.seed = seed;
    this.secrets = { ...setting.secrets };
    this.isTraced = isTraced;
    const timeline = new Timeline(start);
    const faults = new Faults(setting.rates ?? {}, setting.only);
    this.timeline = timeline;
    this.faults = faults;
    const note = (line: string) => this.note(line);
    const random = seedRandom(seed, 'table');
    let commits = 0;
    const habits = {
      lag: () => {
        commits += 1;
        const isStale = faults.strikes('index stale', `write ${commits}`, random);
        return random.next() * (isStale ? 8000 : 20);
      },
      lock: () => 2 + random.next() * (faults.strikes('transaction slow', `write ${commits}`, random) ? 1500 : 10),
    };
    this.table = new Table(timeline, habits, setting.rows);
    const onError = (place: string, error: unknown) => this.fail(place, error);
    const isNarrow = setting.rates?.throttled !== undefined && seedRandom(seed, 'partitions').chance(0.2);
    const { write, read } = partitionLimits;
    this.partitions = new PartitionMeter(isNarrow ? { write: write / 20, read: read / 20 } : partitionLimits);
    this.maxSkew = seedRandom(seed, 'clocks').chance(0.05) ? 120_000 : usualSkew;
    this.lambda = new Lambda({ seed, timeline, faults, maxSkew: this.maxSkew, onError, note });
    const means = { seed, timeline, faults, lambda: this.lambda, note };
    this.queues = new Queues(means);
    this.queues.onMessage = (queue, body) => this.onText(`queue ${queue}`, body);
    this.stream = new Stream(means);
    this.schedules = new Schedules({ ...means, queues: this.queues });
    this.table.onCommit = (committed) => this.commit(committed);
  }

  /** Records an event, where a reader wants it. */
  note(line: string): void {
    const microseconds = Math.round(this.timeline.now * 1000) % 2 ** 32;
    // The place of an error is reported in traces only.
    const words = line.includes('"stack"') ? line.replaceAll(stacks, '') : line;
    this.digest = hashText(words, (this.digest ^ microseconds) >>> 0);
    if (this.isTraced) this.trace.push(`${new Date(this.timeline.now).toISOString()} ${line}`);
  }

  private fail(place: string, error: unknown): void {
    const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    this.note(`FAILED ${place} ${words}`);
    const kind = `${place.split('#')[0]} ${words.replaceAll(/\d{4,}[\w:.-]*/g, '…').slice(0, 120)}`;
    this.errors.set(kind, (this.errors.get(kind) ?? 0) + 1);
  }

  private commit(committed: Committed): void {
    const { pk, sk, after } = committed;
    this.note(`  wrote ${pk} ${sk}${after ? '' : ' (deleted)'}`);
    this.stream.write(committed);
    this.onCommit(committed);
  }

  /** Schedules the deletion of rows whose time to live ends between two times: most within hours, all within two days. */
  expireRows(from: number, until: number): void {
    const delay = (id: string): number => seedRandom(this.seed, `expiry of ${id}`).next() ** 3 * 48 * 3_600_000;
    for (let time = from; time <= until; time += 3_600_000 * 3) {
      this.timeline.at(time, () => this.table.expire(this.timeline.now, delay));
    }
  }

  /** A call of an AWS client, by a function. */
  call(service: Service, name: string, input: Record<string, unknown>): Promise<unknown> {
    const run = currentRun();
    if (!run) throw new Error(`${name} was called outside of a function`);
    if (run.isOver) return never();
    const denied = this.judge(run.name, service, name, input);
    if (denied) {
      this.denied.add(denied.message);
      return Promise.reject(denied);
    }
    run.calls += 1;
    this.calls += 1;
    const [token, place] = [this.calls, `${run.place}.${run.calls} ${name}`];
    return new Promise((resolve, reject) => this.send({ service, name, input, token, run, place, resolve, reject }, 1));
  }

  private send(call: Call, tries: number): void {
    const { run, place } = call;
    const fault = this.faults.oneOf(faultsOfCalls, tries > 1 ? `${place} try ${tries}` : place, run.random);
    if (fault) run.faults += 1;
    this.note(`${place}${fault ? ` (${fault})` : ''}`);
    if (fault === 'killed before') {
      run.kill();
      return;
    }
    this.timeline.after(latency(run.random), () => {
      if (fault === 'request lost') this.sendAgain(call, tries, breakOffError());
      else if (fault === 'throttled') this.sendAgain(call, tries, throttlingError(call.service));
      else this.meter(call, tries, () => this.perform(call, (answer) => this.answer(call, tries, fault, answer)));
    });
  }

  /** Goes on if each partition concerned takes the call; throttles it otherwise. */
  private meter(call: Call, tries: number, work: () => void): void {
    const { service, name, input, run, place } = call;
    const rowOf = (pk: string, sk: string) => this.table.items.get(`${pk}\n${sk}`);
    const charges = service === 'dynamo' ? toCharges(name, input, rowOf) : [];
    const isOver = this.partitions.take(charges, this.timeline.now);
    if (!isOver.includes(true)) {
      work();
      return;
    }
    run.faults += 1;
    this.note(`${place} (partition throttled)`);
    if (name === 'TransactWriteCommand') this.answer(call, tries, undefined, throttledTransaction(isOver));
    else this.sendAgain(call, tries, throttlingError('dynamo'));
  }

  /** As the SDK does: after a moment, and three times at most. */
  private sendAgain(call: Call, tries: number, error: Error): void {
    const { run, reject } = call;
    if (tries >= maxAttempts) within(run, () => reject(error));
    else this.later(20 + run.random.next() * 200 * tries, run, () => this.send(call, tries + 1));
  }

  private answer(call: Call, tries: number, fault: Fault | undefined, answer: Answer): void {
    const { run, place, resolve, reject } = call;
    if (fault === 'killed after') run.kill();
    if (fault === 'call hangs' || run.isOver) return;
    if (fault === 'answer lost') this.sendAgain(call, tries, breakOffError());
    else if ('error' in answer && answer.error.name === 'TransactionInProgressException') {
      this.sendAgain(call, tries, answer.error);
    } else {
      this.later(latency(run.random), run, () => {
        if ('error' in answer) {
          this.note(`${place} answered ${answer.error.name}`);
          if (isConflict(answer.error)) run.conflicts += 1;
          reject(answer.error);
        } else resolve(answer.value);
      });
    }
  }

  /** Goes on in a run after some time, unless that is over by then. */
  private later(milliseconds: number, run: Invocation, work: () => void): void {
    this.timeline.after(milliseconds, () => within(run, work));
  }

  private perform(call: Call, answer: (answer: Answer) => void): void {
    const { service, name, input, token } = call;
    const { run, place } = call;
    if (name === 'BatchGetCommand') this.readBatch(call, answer);
    else if (name === 'TransactWriteCommand' && this.faults.strikes('transaction throttled', place, run.random)) {
      run.faults += 1;
      const { length } = (input as { TransactItems: unknown[] }).TransactItems;
      const hot = run.random.int(length);
      answer(throttledTransaction(Array.from({ length }, (_, index) => index === hot)));
    } else if (service === 'dynamo') this.table.perform(name, input, token, answer);
    else answer(this.performElsewhere(call));
  }

  /** DynamoDB answers one of the items that it is asked for at least. */
  private readBatch({ name, input, token, run, place }: Call, answer: (answer: Answer) => void): void {
    const [asked, left]: [Requests, Requests] = [{}, {}];
    for (const [table, { Keys, ...how }] of Object.entries(input['RequestItems'] as Requests)) {
      const isLeft = Keys.map(
        (_, index) => index > 0 && this.faults.strikes('read partly refused', `${place} ${index}`, run.random),
      );
      asked[table] = { ...how, Keys: Keys.filter((_, index) => !isLeft[index]) };
      const Left = Keys.filter((_, index) => isLeft[index]);
      if (Left.length > 0) left[table] = { ...how, Keys: Left };
    }
    this.table.perform(name, { RequestItems: asked }, token, (read) =>
      answer('error' in read ? read : { value: { ...(read.value as object), UnprocessedKeys: left } }),
    );
  }

  private performElsewhere({ service, name, input, run, place }: Call): Answer {
    switch (service) {
      case 'sqs':
        return this.sendMessages(input, place, run.random);
      case 'ses':
        if (name === 'GetSuppressedDestinationCommand') return { error: errorNamed('NotFoundException') };
        return this.sendMail(input, run);
      case 'scheduler':
        return this.schedules.perform(name, input);
      default:
        return { value: { SecretString: this.secrets[String(input['SecretId'])] } };
    }
  }

  private sendMessages(input: Record<string, unknown>, place: string, random: Random): Answer {
    const { QueueUrl, Entries } = input as { QueueUrl: string; Entries: Entry[] };
    const Failed = Entries.filter(({ Id, MessageBody, DelaySeconds }) => {
      if (this.faults.strikes('batch partly refused', `${place} ${Id}`, random)) return true;
      this.queues.send(QueueUrl.split('/').at(-1) ?? '', MessageBody, DelaySeconds ?? 0);
      return false;
    });
    return { value: { Failed: Failed.map(({ Id }) => ({ Id, Code: 'InternalError', SenderFault: false })) } };
  }

  private sendMail(input: Record<string, unknown>, run: Invocation): Answer {
    const { Destination, Content } = input as {
      Destination: { ToAddresses: string[] };
      Content: { Simple: { Body: { Text: { Data: string } } } };
    };
    const [to = ''] = Destination.ToAddresses;
    const text = Content.Simple.Body.Text.Data;
    this.mails.push({ to, text, time: this.timeline.now, run });
    this.onText('mail', text);
    return { value: { MessageId: String(this.mails.length) } };
  }

  /** A request over HTTP, by a function; `then` gets the result, unless the function is over by then. */
  exchange(
    request: { url: URL; method: string; headers: Record<string, string>; body: string },
    then: Exchanged,
  ): void {
    const run = currentRun();
    if (!run) throw new Error(`${request.url} was called outside of a function`);
    if (run.isOver) return;
    run.calls += 1;
    const place = `${run.place}.${run.calls} ${request.method} ${request.url.hostname}`;
    const fault = this.faults.oneOf(['killed in exchange', 'request lost', 'answer lost'], place, run.random);
    if (fault) run.faults += 1;
    this.note(`${place}${fault ? ` (${fault})` : ''}`);
    this.timeline.after(latency(run.random), () => {
      if (fault === 'request lost') return within(run, () => then({ kind: 'reset' }));
      const reply = this.network.ask({ ...request, from: run });
      if (fault === 'killed in exchange' || reply.kind === 'kill') return run.kill();
      if (reply.kind === 'silence') return;
      this.later(reply.delay ?? 0, run, () => then(fault === 'answer lost' ? { kind: 'reset' } : reply));
    });
  }
}

type Exchanged = (reply: Extract<Reply, { kind: 'answer' | 'reset' }>) => void;
type Requests = Record<string, { Keys: readonly unknown[] }>;
type Entry = { Id: string; MessageBody: string; DelaySeconds?: number };
type Call = {
  service: Service;
  name: string;
  input: Record<string, unknown>;
  token: number;
  run: Invocation;
  place: string;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
};

/**
 * One reason for each item: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
const throttledTransaction = (isHot: readonly boolean[]): Answer =>
  cancelledAnswer(isHot.map((is) => ({ Code: is ? 'ThrottlingError' : 'None' })));

const breakOffError = (): Error => Object.assign(errorNamed('TimeoutError', 'socket hang up'), { code: 'ECONNRESET' });

const throttlingError = (service: Service): Error =>
  errorNamed(service === 'ses' ? 'TooManyRequestsException' : 'ThrottlingException');

/** A write, or a whole transaction, that met another. */
const isConflict = (error: Error & { CancellationReasons?: readonly { Code?: string }[] }): boolean =>
  error.name === 'TransactionConflictException' ||
  (error.CancellationReasons ?? []).some(({ Code }) => Code === 'TransactionConflict');
