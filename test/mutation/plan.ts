import { appendFileSync, readFileSync } from 'node:fs';
import * as v from 'valibot';

/** The messages between the parent process (mutate.ts) and the process that runs the tests (mutation-runner.ts). */

const Mutation = v.object({ file: v.string(), id: v.number() });
export type Mutation = v.InferOutput<typeof Mutation>;

const Plan = v.object({
  root: v.string(),
  /** The files whose code is instrumented, from the root: prefixes. */
  sources: v.array(v.string()),
  /** Where lines are reported. */
  output: v.string(),
  /** No mutant begins after that. Milliseconds since 1970. */
  until: v.number(),
  /** Runs all tests of a file for each mutant; otherwise those that reach it, which may pass where a later test would not. */
  whole: v.boolean(),
  /** The test files in their order, from the root. `mutants`: those to try; none: only what the file reaches is noted. */
  tests: v.array(v.object({ path: v.string(), mutants: v.array(Mutation) })),
});
export type Plan = v.InferOutput<typeof Plan>;

const Marks = v.object({ loading: v.array(v.number()), running: v.array(v.number()) });

const Report = v.variant('type', [
  /** A test file passed without mutants; which mutants it reached. */
  v.object({
    type: v.literal('reached'),
    test: v.string(),
    milliseconds: v.number(),
    files: v.record(v.string(), Marks),
  }),
  /** It fails or cannot be repeated even without a mutant, so it says nothing of mutants. */
  v.object({ type: v.literal('unusable'), test: v.string(), reason: v.string() }),
  v.object({ type: v.literal('begun'), test: v.string(), mutant: Mutation }),
  v.object({ type: v.literal('killed'), test: v.string(), mutant: Mutation, how: v.string() }),
  v.object({ type: v.literal('survived'), test: v.string(), mutant: Mutation, whole: v.boolean() }),
  v.object({ type: v.literal('done'), test: v.string() }),
]);
export type Report = v.InferOutput<typeof Report>;

/** The environment variable that names the plan's file. */
export const planVariable = 'FOREWARN_MUTATION_PLAN';

export const readPlan = (path = process.env[planVariable]): Plan => {
  if (path === undefined) throw new Error(`${planVariable} is not set: run npm run mutate`);
  return v.parse(v.pipe(v.string(), v.parseJson(), Plan), readFileSync(path, 'utf8'));
};

export const report = (output: string, line: Report): void => appendFileSync(output, `${JSON.stringify(line)}\n`);

/** Returns what was reported so far. A line that a killed process did not finish is left out. */
export const readReports = (output: string): Report[] =>
  readFileSync(output, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => v.parse(v.pipe(v.string(), v.parseJson(), Report), line));
