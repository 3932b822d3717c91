import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findArea } from './areas.ts';
import { chooseTests, type Reach } from './choose.ts';
import { instrument } from './instrument.ts';
import { play } from './play.ts';
import {
  countByFile,
  type Decided,
  describeMutants,
  isEquivalent,
  killRate,
  minRate,
  pagePath,
  readEquivalent,
  readRecorded,
  toRecord,
  writeRecorded,
} from './record.ts';
import { sampleTargets, type Target } from './sample.ts';
import { ResultStore } from './store.ts';

const usage = `npm run mutate -- [<area> ...]     Change one expression of functions/ at a time and check that a test fails

An area is a name of docs/reference/mutation.md, a folder such as payments/threeds, or a file.

  --changed         The files that differ from the parent commit, or from where the branch left main
  --check           Write nothing; fail if an area falls below what was recorded. --changed does the same
  --sample <n>      Try this many mutants of each area only. Leaves out areas that were measured in full
  --minutes <n>     Stop after this time; the next run continues from there
  --thorough        Try all tests that reach a mutant, not only the nearest
  --list            Print the mutants and what is known of them; run nothing
  --root <folder>   Another project; --cache <file>   where its results are kept
`;

const projectRoot = join(import.meta.dirname, '../..');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: 'boolean', default: false },
    sample: { type: 'string' },
    minutes: { type: 'string', default: '600' },
    thorough: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    root: { type: 'string', default: projectRoot },
    cache: { type: 'string', default: join(projectRoot, 'node_modules/.cache/mutation/results.json') },
    /** After which a mutant that reports nothing counts as one that does not end. */
    silence: { type: 'string', default: '180' },
    help: { type: 'boolean', default: false },
  },
});

const root = resolve(values.root);
const writes = !values.changed && !values.check && !values.list;
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const readSource = (path: string): string => readFileSync(join(root, path), 'utf8');
const filesIn = (folder: string, ending: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name))
    .sort();

/**
 * Tests that start programs, stacks or browsers run code that is not instrumented, and those of the simulation take minutes: they are
 * not used. So a rate says what the other tests notice.
 */
const isUsable = (path: string): boolean =>
  !/^test\/(?:bench|build|cloud|guides|mutation|simulation)\//.test(path) &&
  !/support\/(?:stack|browser|command)\.ts'|useEmulator\(|node:child_process|\binject\(/.test(readSource(path));

/** The files that changed, and undefined where git has no commit to compare with. */
const changedFiles = (): string[] | undefined => {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  const resolveCommit = (...args: string[]): string | undefined => {
    try {
      return git(...args);
    } catch {
      return undefined;
    }
  };
  const head = resolveCommit('rev-parse', 'HEAD');
  const bases = ['origin/main', 'main'].map((branch) => resolveCommit('merge-base', 'HEAD', branch));
  // On main itself: what the last commit changed.
  const base =
    bases.find((one) => one !== undefined && one !== head) ?? resolveCommit('rev-parse', '--verify', 'HEAD^');
  return base === undefined ? undefined : git('diff', '--name-only', '--diff-filter=d', base).split('\n');
};

const selectTargets = (): Target[] | undefined => {
  const all = filesIn('functions', '.ts');
  const changed = values.changed ? changedFiles() : undefined;
  if (values.changed && !changed) return undefined;
  const isWanted = (file: string): boolean => {
    if (changed) return changed.includes(file);
    if (positionals.length === 0) return true;
    return positionals.some(
      (name) =>
        findArea(file).name === name ||
        file === name ||
        file.startsWith(`functions/${name.replace(/^functions\//, '').replace(/\/?$/, '/')}`),
    );
  };
  return all.filter(isWanted).flatMap((file) => {
    const source = readSource(file);
    const mutants = instrument(source, file).mutants.filter(({ isIdle }) => !isIdle);
    return mutants.length === 0 ? [] : [{ file, mutants, lines: source.split('\n'), untried: 0 }];
  });
};

/** A sample of each area that is wanted as a whole and was not measured in full. */
const selectSample = (targets: readonly Target[], size: number): Target[] => {
  if (values.changed || !Number.isInteger(size) || size < 1)
    throw new Error('--sample must be an integer of at least 1, and cannot be combined with --changed');
  const recorded = readRecorded(root);
  const equivalent = readEquivalent(root);
  const areas = new Set(targets.map(({ file }) => findArea(file).name));
  const sampled = new Set([...areas].filter((name) => isWholeArea(name, targets) && recorded[name]?.untried !== 0));
  return sampleTargets(
    targets.filter(({ file }) => sampled.has(findArea(file).name)),
    size,
    (file, mutant, line) => isEquivalent(equivalent, file, mutant, line),
  );
};

/** A run that must be short asks only these: the tests that changed, those that killed the mutants when they were recorded, and the nearest. */
const maxNearTests = 20;

const chooseCandidates = (
  tests: readonly string[],
  targets: readonly Target[],
  changed: readonly string[],
): string[] => {
  const files = new Set(targets.map(({ file }) => file));
  const killers = Object.values(readRecorded(root)).flatMap((area) =>
    Object.entries(area.killers).flatMap(([file, list]) => (files.has(file) ? list : [])),
  );
  const folders = targets.map(({ file }) => file.split('/').slice(1));
  const nearness = (test: string): number => {
    const own = test.split('/').slice(1);
    return Math.max(...folders.map((folder) => folder.findIndex((name, index) => name !== own[index])));
  };
  const near = tests.filter((test) => nearness(test) > 0).toSorted((one, other) => nearness(other) - nearness(one));
  const wanted = new Set([...changed, ...killers, ...near.slice(0, maxNearTests)]);
  return tests.filter((test) => wanted.has(test));
};

class Run {
  readonly store = new ResultStore(root, values.cache);
  readonly equivalent = readEquivalent(root);
  readonly until = Date.now() + Number(values.minutes) * 60_000;
  readonly targets: readonly Target[];
  readonly tests: readonly string[];

  constructor(targets: readonly Target[]) {
    this.targets = targets;
    const usable = filesIn('test', '.test.ts').filter(isUsable);
    this.tests = values.changed ? chooseCandidates(usable, targets, changedFiles() ?? []) : usable;
  }

  get isOver(): boolean {
    return Date.now() > this.until;
  }

  async #play(tests: { path: string; mutants: { file: string; id: number }[] }[], whole = false): Promise<number> {
    const reports = await play(
      { root, sources: ['functions/'], until: this.until, whole, tests },
      Number(values.silence) * 1000,
    );
    for (const one of reports) this.store.add(one);
    this.store.save();
    return reports.filter(({ type }) => type !== 'begun').length;
  }

  get isExplored(): boolean {
    const sources = this.targets.map(({ file }) => file);
    return this.tests.every((test) => this.store.knows(test, sources));
  }

  /** Which mutants each test file reaches. Returns false if the time was over. */
  async explore(): Promise<boolean> {
    const sources = this.targets.map(({ file }) => file);
    for (;;) {
      const unknown = this.tests.filter((test) => !this.store.knows(test, sources));
      if (unknown.length === 0) return true;
      if (this.isOver) return false;
      print(`Exploring ${unknown.length} of ${this.tests.length} test files`);
      // In parts, so that what was found is kept.
      if ((await this.#play(unknown.slice(0, 25).map((path) => ({ path, mutants: [] })))) === 0) return false;
    }
  }

  #reachesOf(file: string, id: number): Reach[] {
    return this.tests.flatMap((test) => {
      const reach = this.store.reach(test, { file, id });
      return reach ? [{ test, ...reach }] : [];
    });
  }

  #undecided() {
    return this.targets.flatMap(({ file, mutants, lines }) =>
      mutants.flatMap((one) => {
        const mutant = { file, id: one.id };
        if (isEquivalent(this.equivalent, file, one, lines[one.line - 1] ?? '') || this.store.isKilled(mutant))
          return [];
        return [{ mutant, reaches: this.#reachesOf(file, one.id) }];
      }),
    );
  }

  /** Chooses what to try next: test files with their mutants. */
  choose(isWhole: boolean) {
    return chooseTests(this.#undecided(), values.thorough)
      .map(({ test, mutants }) => ({
        path: test,
        mutants: mutants.filter((one) => !this.store.hasSurvived(one, test, isWhole)),
      }))
      .filter(({ mutants }) => mutants.length > 0);
  }

  /** First with the tests that reach a mutant; what survives, with all tests of these files. Returns false if the time was over. */
  async decide(): Promise<boolean> {
    return (await this.#decideWith(false)) && this.#decideWith(true);
  }

  async #decideWith(isWhole: boolean): Promise<boolean> {
    for (;;) {
      const tests = this.choose(isWhole);
      if (tests.length === 0) return true;
      if (this.isOver) return false;
      const left = new Set(tests.flatMap(({ mutants }) => mutants.map(({ file, id }) => `${file}#${id}`))).size;
      print(`${left} mutants to try in ${tests.length} test files`);
      if ((await this.#play(tests.slice(0, 25), isWhole)) === 0) return false;
    }
  }

  decided(): Decided[] {
    const waiting = new Set(this.choose(true).flatMap(({ mutants }) => mutants.map(({ file, id }) => `${file}#${id}`)));
    return this.targets.flatMap(({ file, mutants, lines }) =>
      mutants.flatMap((mutant): Decided[] => {
        const place = { file, id: mutant.id };
        if (isEquivalent(this.equivalent, file, mutant, lines[mutant.line - 1] ?? ''))
          return [{ file, mutant, decision: 'equivalent' }];
        const killer = this.store.killerOf(place);
        if (killer !== undefined) return [{ file, mutant, decision: 'killed', killer }];
        if (waiting.has(`${file}#${mutant.id}`)) return [];
        if (this.#reachesOf(file, mutant.id).length > 0) return [{ file, mutant, decision: 'survived' }];
        // Tests that this run leaves out may reach it.
        return this.isExplored && !values.changed ? [{ file, mutant, decision: 'unreached' }] : [];
      }),
    );
  }
}

const describe = ({ file, mutant: { line, was, becomes }, decision }: Decided): string =>
  `  ${decision === 'unreached' ? '-' : '✗'} ${file}:${line}  ${was} → ${becomes}`;

/** Prints the rates and survivors. Returns false if the run is complete and an area is worse than what was recorded of it. */
const summarize = (run: Run, isComplete: boolean): boolean => {
  const decided = run.decided();
  const mutants = run.targets.reduce((sum, target) => sum + target.mutants.length, 0);
  const recorded = readRecorded(root);
  let isGood = true;
  for (const [name, list = []] of Object.entries(Object.groupBy(decided, ({ file }) => findArea(file).name))) {
    const { goal } = findArea(list[0]?.file ?? '');
    for (const one of list) if (one.decision === 'survived' || one.decision === 'unreached') print(describe(one));
    const counts = countByFile(list);
    // Files that were not measured now count as they did, unless only a sample of them was tried.
    const files = writes || recorded[name]?.untried !== 0 ? counts : { ...recorded[name].files, ...counts };
    const required = minRate(name, goal, recorded);
    const rate = killRate(files);
    const isEnough = required === undefined || rate >= required;
    // The rate of an area that was only measured in part proves nothing.
    if (isComplete && !writes && !values.list && !isEnough) isGood = false;
    const untried = run.targets.reduce((sum, one) => sum + (findArea(one.file).name === name ? one.untried : 0), 0);
    print(
      [
        `${name}: ${rate.toFixed(1)} % killed`,
        `goal ${goal} %`,
        ...(required === undefined ? [] : [`at least ${required} %`]),
        ...(untried > 0 ? [describeMutants(counts, untried)] : []),
      ].join(', '),
    );
    if (isComplete && writes && isWholeArea(name, run.targets))
      recorded[name] = toRecord(list, untried, new Date().toISOString().slice(0, 10));
  }
  if (decided.length < mutants) print(`Not decided: ${mutants - decided.length} of ${mutants} mutants`);
  for (const [test, reason] of run.store.unusable) print(`Not usable: ${test} (${reason.slice(0, 120)})`);
  if (isComplete && writes) {
    writeRecorded(root, recorded);
    print(`Written: ${pagePath}`);
  }
  return isGood;
};

const isWholeArea = (name: string, targets: readonly Target[]): boolean => {
  const measured = new Set(targets.map(({ file }) => file));
  return filesIn('functions', '.ts')
    .filter((file) => findArea(file).name === name)
    .every((file) => measured.has(file) || !instrument(readSource(file), file).mutants.some(({ isIdle }) => !isIdle));
};

const main = async (): Promise<number> => {
  if (values.help) {
    print(usage);
    return 0;
  }
  const all = selectTargets();
  if (!all) {
    print('No mutants: git has no commit to compare with.');
    return 0;
  }
  const targets = values.sample === undefined ? all : selectSample(all, Number(values.sample));
  if (targets.length === 0) {
    print(values.changed ? 'No mutants: no file of functions/ has changed.' : usage);
    return values.changed ? 0 : 1;
  }
  const run = new Run(targets);
  const isComplete = values.list || ((await run.explore()) && (await run.decide()));
  return summarize(run, isComplete) ? 0 : 1;
};

/** 1: an area fell below what was recorded; 2: the run itself failed. */
process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  return 2;
});
