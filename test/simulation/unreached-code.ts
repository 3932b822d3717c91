import { type Profiler, Session } from 'node:inspector';

/** A part of a source, from an offset to another, exclusive. */
type Part = readonly [from: number, to: number];

const overlap = (one: readonly Part[], other: readonly Part[]): Part[] =>
  one.flatMap(([from, to]) =>
    other.flatMap(([otherFrom, otherTo]): Part[] => {
      const part = [Math.max(from, otherFrom), Math.min(to, otherTo)] as const;
      return part[0] < part[1] ? [part] : [];
    }),
  );

const sumLength = (parts: readonly Part[]): number => parts.reduce((sum, [from, to]) => sum + to - from, 0);

/** A function that has run, and the parts of it that have not. */
export type ReachedFunction = { name: string; unreached: readonly Part[] };

/** The code of the service that histories have reached, branch by branch. */
export class ReachedCode {
  readonly #unreached = new Map<string, readonly Part[]>();

  /** Adds functions that have run. Returns those of which something had never run before, with the parts that still have not. */
  add(functions: readonly ReachedFunction[]): ReachedFunction[] {
    return functions.flatMap(({ name, unreached }) => {
      const before = this.#unreached.get(name);
      const left = before ? overlap(before, unreached) : unreached;
      if (before && sumLength(left) === sumLength(before)) return [];
      this.#unreached.set(name, left);
      return [{ name, unreached: left }];
    });
  }
}

/**
 * Measures the code of the service that runs, from when it is made.
 * @see https://v8.dev/blog/javascript-code-coverage
 */
export class ReachMeter {
  readonly #session = new Session();

  constructor() {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** Returns the functions that have run since the last call. */
  take(): ReachedFunction[] {
    let scripts: readonly Profiler.ScriptCoverage[] = [];
    // Within the process the answer comes before `post` returns.
    this.#session.post('Profiler.takePreciseCoverage', (_, { result }) => {
      scripts = result;
    });
    return scripts.flatMap(({ url, functions }) => {
      const path = url.split('/functions/')[1];
      return path === undefined ? [] : functions.flatMap(({ ranges }) => toReachedFunction(path, ranges));
    });
  }
}

const toReachedFunction = (path: string, [whole, ...blocks]: readonly Profiler.CoverageRange[]): ReachedFunction[] => {
  if (!whole || whole.count === 0) return [];
  const idle = blocks.filter(({ count }) => count === 0);
  const unreached = idle.map(({ startOffset, endOffset }): Part => [startOffset, endOffset]);
  return [{ name: `${path}:${whole.startOffset}-${whole.endOffset}`, unreached }];
};
