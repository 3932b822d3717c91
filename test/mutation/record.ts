import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { findArea } from './areas.ts';
import type { Mutant } from './instrument.ts';
import type { Decision } from './store.ts';

/** The kill rates that were measured last, in `recorded.json`, and the page with the rates that is written from it. */

const Survivor = v.object({
  file: v.string(),
  line: v.number(),
  kind: v.string(),
  was: v.string(),
  becomes: v.string(),
  isReached: v.boolean(),
});

/** The numbers of mutants, killed mutants and equivalent mutants of a file. */
const Counts = v.tuple([v.number(), v.number(), v.number()]);
type Counts = v.InferOutput<typeof Counts>;

const AreaRecord = v.object({
  measuredOn: v.string(),
  /** Mutants that are not in the sample; 0: the area was measured in full. */
  untried: v.optional(v.number(), 0),
  files: v.record(v.string(), Counts),
  /** The test files that killed the mutants of each file: a short run begins with these. */
  killers: v.optional(v.record(v.string(), v.array(v.string())), {}),
  survivors: v.array(Survivor),
});
export type AreaRecord = v.InferOutput<typeof AreaRecord>;
const Recorded = v.record(v.string(), AreaRecord);
export type Recorded = v.InferOutput<typeof Recorded>;

/** A mutant that no test can tell from the source. `within`: part of its line, where the file has several. */
const Equivalent = v.object({
  file: v.string(),
  was: v.string(),
  becomes: v.string(),
  within: v.optional(v.string()),
  reason: v.pipe(v.string(), v.minLength(20)),
});
export type Equivalent = v.InferOutput<typeof Equivalent>;

const recordPath = 'test/mutation/recorded.json';
const equivalentPath = 'test/mutation/equivalent.json';
export const pagePath = 'docs/reference/mutation.md';

const readJson = (path: string, otherwise: unknown): unknown =>
  existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : otherwise;

export const readRecorded = (root: string): Recorded => v.parse(Recorded, readJson(join(root, recordPath), {}));
export const readEquivalent = (root: string): Equivalent[] =>
  v.parse(v.array(Equivalent), readJson(join(root, equivalentPath), []));

export const isEquivalent = (
  list: readonly Equivalent[],
  file: string,
  { was, becomes }: Mutant,
  line: string,
): boolean =>
  list.some(
    (one) =>
      one.file === file && one.was === was && one.becomes === becomes && (!one.within || line.includes(one.within)),
  );

export type Decided = {
  file: string;
  mutant: Mutant;
  decision: Decision | 'equivalent';
  /** The test file that killed it. */
  killer?: string | undefined;
};

/** The record of an area, from the mutants of its files, and how many of them were not tried. */
export const toRecord = (decided: readonly Decided[], untried: number, measuredOn: string): AreaRecord => ({
  measuredOn,
  untried,
  files: countByFile(decided),
  killers: Object.fromEntries(
    [...Map.groupBy(decided, ({ file }) => file)].map(([file, list]) => [
      file,
      [...new Set(list.flatMap(({ killer }) => killer ?? []))].sort(),
    ]),
  ),
  survivors: decided.flatMap(({ file, mutant: { line, kind, was, becomes }, decision }) =>
    decision === 'survived' || decision === 'unreached'
      ? [{ file, line, kind, was, becomes, isReached: decision === 'survived' }]
      : [],
  ),
});

export const countByFile = (decided: readonly Decided[]): Record<string, Counts> => {
  const files: Record<string, Counts> = {};
  for (const { file, decision } of decided) {
    const counts = files[file] ?? [0, 0, 0];
    counts[0] += 1;
    if (decision === 'killed') counts[1] += 1;
    if (decision === 'equivalent') counts[2] += 1;
    files[file] = counts;
  }
  return files;
};

/** Percent of the mutants that change something. */
export const killRate = (files: Readonly<Record<string, Counts>>): number => {
  let [all, killed] = [0, 0];
  for (const [mutants, kills, equivalent] of Object.values(files)) {
    all += mutants - equivalent;
    killed += kills;
  }
  return all === 0 ? 100 : (100 * killed) / all;
};

/** The kill rate that an area must reach: its goal, or the rate when it was measured if that was lower. None after a sample. */
export const minRate = (name: string, goal: number, recorded: Recorded): number | undefined => {
  const record = recorded[name];
  return record?.untried === 0 ? Math.min(goal, Math.floor(killRate(record.files))) : undefined;
};

const total = (files: AreaRecord['files'], index: 0 | 1 | 2): number =>
  Object.values(files).reduce((sum, counts) => sum + counts[index], 0);

/** Returns how many mutants there are, or how many of these a sample tried. */
export const describeMutants = (files: AreaRecord['files'], untried: number): string =>
  untried === 0 ? `${total(files, 0)}` : `${total(files, 0) - total(files, 2)} of ${total(files, 0) + untried} tried`;

/** The page for readers: the rates. Survivors and equivalent mutants are in the records alone. */
const writePage = (recorded: Recorded): string => {
  const areas = Object.entries(recorded)
    .map(([name, record]) => ({ name, ...record, rate: killRate(record.files), goal: readGoal(name, record) }))
    .toSorted((one, other) => other.goal - one.goal || one.name.localeCompare(other.name));
  return `# Mutation tests

<!-- Written by \`npm run mutate\`; do not edit. -->

This page says how well the tests notice changes to the code. \`npm run mutate -- <area>\` changes one expression of \`functions/\` at a time, such
as \`<\` to \`<=\`, and runs the tests that reach it. A mutant that makes a test fail is killed; one that no test notices has survived.
The method is described in [Contributing](../../CONTRIBUTING.md#mutation-tests).

## Kill rates

Equivalent mutants behave as the source does. They are not counted. An area without a row has not been measured. Where only some mutants were
tried, these are a sample. Its rate can differ from the rate of all mutants by more than ten points.

| area | goal | killed | mutants | equivalent | not reached | measured on |
|---|---|---|---|---|---|---|
${areas
  .map(
    ({ name, goal, rate, files, untried, survivors, measuredOn }) =>
      `| ${name} | ${goal} % | ${rate.toFixed(1)} % | ${describeMutants(files, untried)} | ${total(files, 2)} | ${survivors.filter(({ isReached }) => !isReached).length} | ${measuredOn} |`,
  )
  .join('\n')}

“Not reached” are survivors that no test executes in its own process. Tests that start programs or whole stacks are not used.

\`test/mutation/recorded.json\` lists the survivors of each area, and \`test/mutation/equivalent.json\` the equivalent mutants with their reasons.
`;
};

const readGoal = (name: string, { files }: AreaRecord): number => findArea(Object.keys(files)[0] ?? name).goal;

export const writeRecorded = (root: string, recorded: Recorded): void => {
  const sorted = Object.fromEntries(Object.entries(recorded).toSorted(([one], [other]) => one.localeCompare(other)));
  writeFileSync(join(root, recordPath), printRecorded(sorted));
  writeFileSync(join(root, pagePath), writePage(sorted));
};

/** A line for each file and survivor, so that changes are readable. */
const printRecorded = (recorded: Recorded): string => {
  const lines = (list: readonly string[], indent: string) =>
    list.length === 0 ? '' : `\n${list.map((one) => indent + one).join(',\n')}\n`;
  const areas = Object.entries(recorded).map(([name, { measuredOn, untried, files, killers, survivors }]) => {
    const counts = Object.entries(files).map(([file, list]) => `${JSON.stringify(file)}: [${list.join(', ')}]`);
    const tests = Object.entries(killers).map(([file, list]) => `${JSON.stringify(file)}: ${JSON.stringify(list)}`);
    const alive = survivors.map((one) => JSON.stringify(one));
    return `  ${JSON.stringify(name)}: {\n    "measuredOn": "${measuredOn}",\n${untried === 0 ? '' : `    "untried": ${untried},\n`}    "files": {${lines(counts, '      ')}    },\n    "killers": {${lines(tests, '      ')}    },\n    "survivors": [${lines(alive, '      ')}    ]\n  }`;
  });
  return `{\n${areas.join(',\n')}\n}\n`;
};
