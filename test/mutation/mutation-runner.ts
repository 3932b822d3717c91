import { type RunnerTask, type RunnerTestCase, type RunnerTestFile, TestRunner } from 'vitest';
import { startTests } from 'vitest/internal/browser';
import { type Mutation, readPlan, readReports, report } from './plan.ts';
import { switches } from './switches.ts';

/**
 * Runs a test file as it is, notes which mutants it reaches, and then runs it again in the same process for each mutant that the plan names.
 * The modules stay loaded, so that most runs take milliseconds. They are reloaded for mutants that work while modules load, and where
 * a file fails when it is repeated.
 */

/** Mutants that were killed without reloading are only believed if the file still passes without a mutant afterwards. */
const maxUnconfirmed = 12;
/** A mutant may take this many steps more than none. */
const stepsFactor = 20;
const stepsMargin = 200_000;
const timeMargin = 3000;
const timeFactor = 10;

type Outcome = { failed: boolean; how: string; milliseconds: number };
/** `only`: the tests of the file that are run. */
type Options = {
  mutant?: Mutation;
  reloads: boolean;
  limit?: number;
  timeout?: number;
  only?: ReadonlySet<string> | undefined;
};

const failedTask = (task: RunnerTask): RunnerTask | undefined => {
  if ('tasks' in task) {
    const inner = task.tasks.map(failedTask).find((one) => one !== undefined);
    if (inner) return inner;
  }
  return task.result?.state === 'fail' ? task : undefined;
};

const plan = readPlan();
const toKey = ({ file, id }: Mutation): string => `${file}#${id}`;

export default class MutationRunner extends TestRunner {
  startedAt = 0;
  /** The tests that reach each mutant, by their ids; undefined: hooks reach it, and so any test may notice it. */
  readonly reachedBy = new Map<string, Set<string> | undefined>();
  readonly sources: readonly string[] = [
    ...new Set(plan.tests.flatMap(({ mutants }) => mutants.map(({ file }) => file))),
  ];

  noteReached(test: string | undefined): void {
    for (const file of this.sources) {
      for (const id of switches.takeRecent(file)) {
        const key = toKey({ file, id });
        const tests = this.reachedBy.has(key) ? this.reachedBy.get(key) : new Set<string>();
        this.reachedBy.set(key, test === undefined ? undefined : tests?.add(test));
      }
    }
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    this.noteReached(undefined);
    await super.onBeforeRunTask(test);
  }

  override onAfterRunTask(test: RunnerTestCase): void {
    this.noteReached(test.id);
    super.onAfterRunTask(test);
  }

  onBeforeCollect(): void {
    this.reachedBy.clear();
    switches.select();
    switches.reloads = true;
    switches.begin();
    this.startedAt = performance.now();
  }

  onCollected(): void {
    switches.phase = 'running';
  }

  override async onAfterRunFiles(files: RunnerTestFile[]): Promise<void> {
    this.noteReached(undefined);
    super.onAfterRunFiles(files);
    const milliseconds = performance.now() - this.startedAt;
    for (const file of files) await this.tryMutants(file, milliseconds);
  }

  async tryMutants(file: RunnerTestFile, milliseconds: number): Promise<void> {
    const { root, output, tests } = plan;
    const test = file.filepath.slice(root.length + 1);
    const failed = failedTask(file);
    if (failed) {
      report(output, {
        type: 'unusable',
        test,
        reason: `${failed.name}: ${failed.result?.errors?.[0]?.message ?? ''}`,
      });
      return;
    }
    const { reached, steps } = switches;
    report(output, { type: 'reached', test, milliseconds, files: reached });
    const killed = new Set(readReports(output).flatMap((one) => (one.type === 'killed' ? [toKey(one.mutant)] : [])));
    const wanted = tests
      .filter(({ path }) => path === test)
      .flatMap(({ mutants }) => mutants)
      .filter((one) => !killed.has(toKey(one)));
    const loading = wanted.filter(({ file: path, id }) => reached[path]?.loading.includes(id));
    const running = wanted.filter(({ file: path, id }) => reached[path]?.running.includes(id));
    const limit = steps * stepsFactor + stepsMargin;
    const isDone =
      running.length + loading.length === 0 ||
      (await this.tryAll({
        filepath: file.filepath,
        test,
        loading,
        running,
        limit,
        timeout: milliseconds * timeFactor + timeMargin,
      }));
    if (isDone) report(output, { type: 'done', test });
  }

  /** Returns false if the time was over before all were tried. */
  async tryAll({ filepath, test, loading, running, limit, timeout }: Tried): Promise<boolean> {
    const { output } = plan;
    const run = (options: Options) => this.runAgain(filepath, { limit, timeout, ...options });
    const judge = async (mutant: Mutation, reloads: boolean, only?: ReadonlySet<string>): Promise<Outcome> => {
      report(output, { type: 'begun', test, mutant });
      return run({ mutant, reloads, only });
    };
    const isLoading = new Set(loading);
    const kill = (mutant: Mutation, how: string) => report(output, { type: 'killed', test, mutant, how });
    const isRepeatable = running.length > 0 && !(await run({ reloads: false })).failed;
    let unconfirmed: { mutant: Mutation; how: string }[] = [];
    const later: Mutation[] = isRepeatable ? [] : [...running];
    const confirm = async () => {
      if (unconfirmed.length > 0 && (await run({ reloads: false })).failed) {
        later.push(...unconfirmed.map(({ mutant }) => mutant));
        await run({ reloads: true });
      } else {
        for (const { mutant, how } of unconfirmed) kill(mutant, how);
      }
      unconfirmed = [];
    };
    /** Checks that these tests pass without a mutant when the others of the file are left out. */
    const isAlone = new Map<string, boolean>();
    const passesAlone = async (only: ReadonlySet<string>): Promise<boolean> => {
      const key = [...only].join();
      const known = isAlone.get(key) ?? !(await run({ reloads: false, only })).failed;
      isAlone.set(key, known);
      return known;
    };
    for (const mutant of isRepeatable ? running : []) {
      if (isOver()) break;
      const only = plan.whole ? undefined : this.reachedBy.get(toKey(mutant));
      let { failed, how } = await judge(mutant, false, only);
      if (failed && only && !(await passesAlone(only))) ({ failed, how } = await judge(mutant, false));
      if (failed) unconfirmed.push({ mutant, how });
      else if (isLoading.has(mutant)) continue;
      else report(output, { type: 'survived', test, mutant, whole: only === undefined });
      if (failed) isLoading.delete(mutant);
      if (unconfirmed.length >= maxUnconfirmed) await confirm();
    }
    await confirm();
    for (const mutant of new Set([...later, ...isLoading])) {
      if (isOver()) return false;
      const { failed, how } = await judge(mutant, true);
      if (failed) kill(mutant, how);
      else report(output, { type: 'survived', test, mutant, whole: true });
    }
    return !isOver();
  }

  async runAgain(
    filepath: string,
    { mutant, reloads, limit = Number.POSITIVE_INFINITY, timeout = 0, only }: Options,
  ): Promise<Outcome> {
    const again: RepeatedRunner = Object.create(this);
    const { workerState }: RunnerState = again;
    again.cancelRun = false;
    again.config = { ...this.config, testTimeout: timeout, hookTimeout: timeout };
    again.onTaskUpdate = async () => undefined;
    again.onCollectStart = (file) => {
      workerState.current = file;
    };
    again.onBeforeCollect = () => {
      switches.begin(limit);
      switches.reloads = reloads;
      switches.select(mutant?.file, mutant?.id);
    };
    again.onCollected = () => {
      switches.phase = 'running';
    };
    again.onAfterRunFiles = async () => undefined;
    again.onBeforeRunTask = async (task) => {
      if (again.cancelRun || (only && !only.has(task.id))) task.mode = 'skip';
      else workerState.current = task;
    };
    again.onAfterRunTask = (task) => {
      workerState.current = task.suite ?? task.file;
      // One test is enough.
      if (task.result?.state === 'fail') again.cancelRun = true;
    };
    const startedAt = performance.now();
    const [file] = await startTests([filepath], again);
    switches.select();
    const failed = file && failedTask(file);
    const how = failed ? `${failed.name}: ${failed.result?.errors?.[0]?.message ?? ''}`.slice(0, 200) : '';
    return {
      failed: failed !== undefined || switches.steps > limit,
      how: switches.steps > limit ? 'takes too many steps' : how,
      milliseconds: performance.now() - startedAt,
    };
  }
}

/** Fields of Vitest's runner that it does not declare. */
type RunnerState = { cancelRun: boolean; workerState: { current: unknown } };
type RepeatedRunner = Omit<TestRunner, 'cancelRun' | 'workerState' | 'config'> &
  RunnerState & {
    config: TestRunner['config'];
    onTaskUpdate: () => Promise<void>;
    onCollectStart: (file: unknown) => void;
    onBeforeCollect: () => void;
    onCollected: () => void;
  };

type Tried = {
  filepath: string;
  test: string;
  loading: Mutation[];
  running: Mutation[];
  limit: number;
  timeout: number;
};

const maxHeapBytes = 1.5 * 2 ** 30;

/** No more time, or no more room: modules that were reloaded are not always freed. */
const isOver = (): boolean => Date.now() > plan.until || process.memoryUsage().heapUsed > maxHeapBytes;
