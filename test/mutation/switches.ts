/**
 * Instrumented code asks here at run time if one of its mutants is on. Also notes which mutants code has reached, and counts steps, so
 * that a mutant that loops for ever ends.
 */
const symbol = Symbol.for('mutation switches');

export class StepLimitError extends Error {
  override name = 'StepLimitError';
}

type Phase = 'loading' | 'running';

/** Of one file. `on`: the mutant that is on, or -1. */
type FileState = { on: number; loading: Uint8Array; running: Uint8Array; recent: Set<number> };

const newState = (count: number): FileState => ({
  on: -1,
  loading: new Uint8Array(count),
  running: new Uint8Array(count),
  recent: new Set(),
});

export type Reached = Record<string, { loading: number[]; running: number[] }>;

export class Switches {
  readonly #files = new Map<string, FileState>();
  #phase: Phase = 'loading';
  /** True if the next run reloads the modules first (between.ts). */
  reloads = true;
  steps = 0;
  limit = Number.POSITIVE_INFINITY;

  /** The switches of one file, with as many mutants. */
  of(file: string, count: number): FileSwitches {
    const state = this.#files.get(file) ?? newState(count);
    this.#files.set(file, state);
    return this.#switchesOf(state);
  }

  /** Returns which mutants of a file were reached since it was asked last. */
  takeRecent(file: string): number[] {
    const recent = this.#files.get(file)?.recent;
    const ids = [...(recent ?? [])];
    recent?.clear();
    return ids;
  }

  /** Switches one mutant on, and all others off. */
  select(file?: string, id = -1): void {
    for (const [name, state] of this.#files) state.on = name === file ? id : -1;
    if (file !== undefined && !this.#files.has(file)) {
      this.#files.set(file, { ...newState(id + 1), on: id });
    }
  }

  set phase(phase: Phase) {
    this.#phase = phase;
  }

  /** Begins to note what is reached, from nothing. */
  begin(limit = Number.POSITIVE_INFINITY): void {
    this.steps = 0;
    this.limit = limit;
    this.#phase = 'loading';
    for (const { loading, running, recent } of this.#files.values()) {
      loading.fill(0);
      running.fill(0);
      recent.clear();
    }
  }

  get reached(): Reached {
    const idsOf = (marks: Uint8Array) => [...marks.entries()].flatMap(([id, isReached]) => (isReached ? [id] : []));
    return Object.fromEntries(
      [...this.#files]
        .map(([file, { loading, running }]) => [file, { loading: idsOf(loading), running: idsOf(running) }] as const)
        .filter(([, { loading, running }]) => loading.length + running.length > 0),
    );
  }

  #switchesOf(state: FileState): FileSwitches {
    const note = (id: number): void => {
      this.steps += 1;
      if (this.steps > this.limit) throw new StepLimitError(`More than ${this.limit} steps`);
      state[this.#phase][id] = 1;
      if (this.#phase === 'running') state.recent.add(id);
    };
    const on = (id: number): boolean => {
      note(id);
      return state.on === id;
    };
    return {
      on,
      test: (always, never, value) => {
        const isAlways = always !== -1 && on(always);
        const isNever = never !== -1 && on(never);
        return isAlways || (!isNever && value);
      },
      negate: (id, value) => (on(id) ? !value : value),
      replace: (id, other, value) => (on(id) ? other : value),
      compare: (boundary, opposite, operator, left, right) => {
        if (on(boundary)) return compareAs(boundaries[operator] ?? operator, left, right);
        const value = compareAs(operator, left, right);
        return opposite !== -1 && on(opposite) ? !value : value;
      },
      calculate: (id, operator, left, right) =>
        calculateAs(on(id) ? (others[operator] ?? operator) : operator, left, right),
      condition: (first, parts, value) => {
        const isOn = [...Array(parts + 1).keys()].map((part) => on(first + part));
        if (typeof value !== 'string') return value;
        if (isOn[0]) return `(${value}) OR ${alwaysHolds}`;
        const texts = value.split(' AND ');
        return texts.map((text, index) => (isOn[index + 1] ? `(${text} OR ${alwaysHolds})` : text)).join(' AND ');
      },
    };
  }
}

/** A condition of DynamoDB that every item meets, so that the placeholders of the other stay in use. */
const alwaysHolds = 'attribute_not_exists(mutated)';

// Operands are numbers, texts, dates or big integers: what the source compares.
type Operand = number;

const boundaries: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const compareAs = (operator: string, left: Operand, right: Operand): boolean => {
  if (operator === '<') return left < right;
  if (operator === '<=') return left <= right;
  if (operator === '>') return left > right;
  return left >= right;
};

const others: Readonly<Record<string, string>> = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' };
const calculateAs = (operator: string, left: Operand, right: Operand): unknown => {
  if (operator === '+') return left + right;
  if (operator === '-') return left - right;
  if (operator === '*') return left * right;
  if (operator === '/') return left / right;
  return left % right;
};

type FileSwitches = {
  on: (id: number) => boolean;
  /** The numbers of the mutants that are always true and always false, or -1. */
  test: (always: number, never: number, value: unknown) => unknown;
  negate: (id: number, value: unknown) => unknown;
  replace: (id: number, other: unknown, value: unknown) => unknown;
  compare: (boundary: number, opposite: number, operator: string, left: Operand, right: Operand) => boolean;
  calculate: (id: number, operator: string, left: Operand, right: Operand) => unknown;
  /** `first`: the whole condition; those after it: one of its parts. */
  condition: (first: number, parts: number, value: unknown) => unknown;
};

const holder = globalThis as { [symbol]?: Switches };

/** The switches of this process. */
export const switches = holder[symbol] ?? new Switches();
holder[symbol] = switches;
