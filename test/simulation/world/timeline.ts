type Event = { time: number; order: number; work: () => void };

const isBefore = (left: Event, right: Event): boolean =>
  left.time < right.time || (left.time === right.time && left.order < right.order);

/** Lets settled promises go on before anything else happens; twice, because some go on only after the first time. */
const settle = (): Promise<void> => new Promise((resolve) => process.nextTick(process.nextTick, resolve));

let isStirred = false;
/** Reports that promises may go on by what happens just now: most events start none, and need no wait for them. */
export const stir = (): void => {
  isStirred = true;
};

/** Virtual time: events in the order of their time, and of their making where that is equal. Nothing ever waits. */
export class Timeline {
  /** Milliseconds since 1970. */
  now: number;
  private readonly heap: Event[] = [];
  private made = 0;

  constructor(now: number) {
    this.now = now;
  }

  at(time: number, work: () => void): void {
    this.made += 1;
    const event: Event = { time: Math.max(time, this.now), order: this.made, work };
    const { heap } = this;
    let index = heap.push(event) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || isBefore(above, event)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = event;
  }

  after(milliseconds: number, work: () => void): void {
    this.at(this.now + milliseconds, work);
  }

  /** Lets everything happen up to a time, which it then is. */
  async runUntil(end: number): Promise<void> {
    // The caller may not be a promise's continuation: then ticks would come before whatever promises go on to.
    await settle();
    for (let first = this.heap[0]; first !== undefined && first.time <= end; first = this.heap[0]) {
      this.takeFirst();
      this.now = first.time;
      first.work();
      if (!isStirred) continue;
      isStirred = false;
      await settle();
    }
    this.now = Math.max(this.now, end);
  }

  private takeFirst(): void {
    const { heap } = this;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      const [left, right] = [heap[child], heap[child + 1]];
      if (left === undefined) break;
      const smaller = right !== undefined && isBefore(right, left) ? right : left;
      if (smaller === right) child += 1;
      if (isBefore(last, smaller)) break;
      heap[index] = smaller;
      index = child;
    }
    heap[index] = last;
  }
}
