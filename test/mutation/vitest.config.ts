import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { openScratchFolder } from '../support/scratch-folder.ts';
import { instrument } from './instrument.ts';
import { readPlan } from './plan.ts';

/** The configuration by which `npm run mutate` runs tests: in the order of its plan, in one process, with instrumented sources. */

const { root, sources, tests } = readPlan();
const support = join(import.meta.dirname, '..', 'support');
const setupFiles = [
  ...['environment.ts'].map((name) => join(support, name)),
  join(import.meta.dirname, 'undo-run.ts'),
  ...['secret-leak-setup.ts', 'cheap-passwords.ts', 'short-pauses.ts', 'quiet-output.ts'].map((name) =>
    join(support, name),
  ),
];

class Planned extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => tests.findIndex(({ path }) => moduleId === join(root, path));
    return files.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

export default defineConfig({
  root,
  plugins: [
    {
      name: 'mutants',
      enforce: 'pre',
      load: (id) => {
        const [path = ''] = id.split('?');
        const name = path.slice(root.length + 1);
        if (!path.startsWith(`${root}/`) || !path.endsWith('.ts') || !sources.some((one) => name.startsWith(one)))
          return;
        return instrument(readFileSync(path, 'utf8'), name).code;
      },
    },
  ],
  test: {
    silent: true,
    reporters: [{}],
    runner: join(import.meta.dirname, 'mutation-runner.ts'),
    include: tests.map(({ path }) => path),
    env: { TMPDIR: openScratchFolder() },
    setupFiles,
    maxWorkers: 1,
    isolate: false,
    execArgv: ['--single-threaded-gc', '--max-old-space-size=2048'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    update: false,
    sequence: { hooks: 'list', sequencer: Planned },
  },
});
