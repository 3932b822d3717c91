import {
  ConflictException,
  type CreateScheduleCommandInput,
  ResourceNotFoundException,
} from '@aws-sdk/client-scheduler';
import type { Answer } from './dynamo.ts';
import type { Faults } from './faults.ts';
import type { Queues } from './queues.ts';
import { seedRandom } from './random.ts';
import type { Timeline } from './timeline.ts';

type Means = { seed: number; timeline: Timeline; faults: Faults; queues: Queues };
const slotMilliseconds = 12 * 3_600_000;

/** EventBridge Scheduler: the sweeps at 00:00 and 12:00 UTC, and schedules that fire once. */
export class Schedules {
  /** Those that are yet to fire, by name. */
  readonly pending = new Map<string, { time: number }>();
  private readonly means: Means;
  private made = 0;

  constructor(means: Means) {
    this.means = means;
  }

  /** Has every sweep between two times take place. */
  sweep(from: number, until: number): void {
    const { timeline, faults, queues, seed } = this.means;
    for (let slot = Math.ceil(from / slotMilliseconds) * slotMilliseconds; slot <= until; slot += slotMilliseconds) {
      const place = new Date(slot).toISOString();
      const random = seedRandom(seed, `sweep ${place}`);
      if (faults.strikes('sweep missed', place, random)) continue;
      const send = () => queues.send('sweep', JSON.stringify({ slot: place.replace('.000Z', 'Z') }));
      const late = faults.strikes('sweep late', place, random) ? random.next() * 14 * 60_000 : random.next() * 2000;
      timeline.at(slot + late, send);
      if (faults.strikes('sweep doubled', place, random)) timeline.at(slot + late + random.next() * 60_000, send);
    }
  }

  perform(command: string, input: Record<string, unknown>): Answer {
    const name = String(input['Name']);
    const known = this.pending.has(name);
    const $metadata = {};
    if (command === 'CreateScheduleCommand') {
      if (known) return { error: new ConflictException({ Message: name, message: name, $metadata }) };
    } else if (!known) return { error: new ResourceNotFoundException({ Message: name, message: name, $metadata }) };
    if (command === 'DeleteScheduleCommand') this.pending.delete(name);
    else this.set(name, input);
    return { value: {} };
  }

  private set(name: string, { ScheduleExpression, Target }: Partial<CreateScheduleCommandInput>): void {
    const { timeline, faults, queues, seed } = this.means;
    const time = Date.parse(`${/^at\((.*)\)$/.exec(ScheduleExpression ?? '')?.[1]}Z`);
    if (Number.isNaN(time)) throw new Error(`${ScheduleExpression} is no time`);
    const schedule = { time };
    this.pending.set(name, schedule);
    this.made += 1;
    const place = `${name} schedule ${this.made}`;
    const random = seedRandom(seed, place);
    // Within the minute that it names.
    timeline.at(time + random.next() * 59_000, () => {
      if (this.pending.get(name) !== schedule) return;
      const [queue, body] = [String(Target?.Arn).split(':').at(-1) ?? '', Target?.Input ?? '{}'];
      if (!faults.strikes('schedule lost', place, random)) queues.send(queue, body);
      if (faults.strikes('schedule doubled', place, random)) queues.send(queue, body);
      // It is deleted as completed a moment later: by its name, whatever has become of that by then.
      timeline.after(random.next() * 5000, () => this.pending.delete(name));
    });
  }
}
