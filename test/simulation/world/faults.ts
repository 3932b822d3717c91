import type { Random } from './random.ts';

/** Everything that can go wrong, each with what it means. */
const faults = {
  'killed before': 'the function dies before the call leaves it',
  'killed after': 'the function dies after the call took effect, before it learns of it',
  'killed in exchange': 'the function dies while somebody outside answers it',
  'request lost': 'the call does not arrive',
  'answer lost': 'the call takes effect, and the answer does not arrive',
  'call hangs': 'the call takes effect, and no answer ever comes: the function runs into its time-out',
  throttled: 'the service takes no more just now',
  'batch partly refused': 'SQS takes a part of a batch only',
  'read partly refused': 'DynamoDB answers a part of a batch of reads only',
  'message doubled': 'a message comes twice, at once or much later',
  'message lost': 'a message never comes, or ends among the dead letters: no more than a hurry is lost',
  'message late': 'a message comes minutes late',
  'deletion lost': 'a message that was handled comes again',
  'function throttled': 'a poller took messages while the function may not run',
  'stream doubled': 'a batch of the stream comes twice',
  'stream twice at once': 'a reader of the stream that was given up goes on next to its successor',
  'stream late': 'a batch of the stream comes seconds late',
  'shard split': 'a shard of the stream is split',
  'transaction throttled': 'a transaction is cancelled, as the partition of one of its items takes no more just now',
  'sweep missed': 'a sweep does not take place',
  'sweep doubled': 'a sweep takes place twice',
  'sweep late': 'a sweep begins minutes late',
  'schedule lost': 'a schedule never fires',
  'schedule doubled': 'a schedule fires twice',
  'index stale': 'an index lags by seconds',
  'clock skewed': 'a machine is seconds early or late',
  'transaction slow': 'a transaction keeps its items for seconds',
  'previous release': 'a function of the previous release handles the event, as both are deployed',
} as const;
export type Fault = keyof typeof faults;
/** The rate at which each strikes where it can. */
export type Rates = Readonly<Partial<Record<Fault, number>>>;

/** Decides which faults strike, and remembers which did. */
export class Faults {
  /** Those that struck, each by the place where it did, in order. */
  readonly struck: string[] = [];
  private readonly rates: Rates;
  private readonly only: ReadonlySet<string> | undefined;

  /** `only`: no others strike, to find out which of them a violation needs. */
  constructor(rates: Rates, only?: ReadonlySet<string>) {
    this.rates = rates;
    this.only = only;
  }

  /** Checks whether a fault strikes at a place, which has a name of its own. */
  strikes(fault: Fault, place: string, random: Random): boolean {
    const rate = this.rates[fault];
    return rate !== undefined && this.strikesAt(rate, fault, place, random);
  }

  /** The same for one whose rate changes with time. */
  strikesAt(rate: number, fault: Fault, place: string, random: Random): boolean {
    if (!random.chance(rate)) return false;
    const name = `${fault} @ ${place}`;
    if (this.only && !this.only.has(name)) return false;
    this.struck.push(name);
    return true;
  }

  /** One of several faults at most, by one draw. */
  oneOf<F extends Fault>(several: readonly F[], place: string, random: Random): F | undefined {
    let left = random.next();
    for (const fault of several) {
      const rate = this.rates[fault] ?? 0;
      if (left < rate) {
        const name = `${fault} @ ${place}`;
        if (this.only && !this.only.has(name)) return undefined;
        this.struck.push(name);
        return fault;
      }
      left -= rate;
    }
    return undefined;
  }

  /** Returns how often each fault struck. */
  counts(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const name of this.struck) {
      const [fault = ''] = name.split(' @ ');
      counts[fault] = (counts[fault] ?? 0) + 1;
    }
    return counts;
  }
}
