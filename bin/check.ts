import { runShown } from './commands/test-files.ts';

/**
 * `npm run check`: all checks that need no whole test run, in two lanes of about the same length, since the smallest machines have two cores. A lane
 * ends with its first failure.
 */
const lanes: readonly (readonly string[])[] = [
  [
    'tsc -p . --checkers 1 --incremental --tsBuildInfoFile node_modules/.cache/tsc/check.tsbuildinfo',
    'tsc -p lib/dashboard --checkers 1',
    'tsc -p lib/sdk/three-ds',
    'tsc -p lib/sdk/device',
    'vitest run test/architecture.test.ts test/registry.test.ts test/function-names.test.ts test/exported-names.test.ts test/voice.test.ts',
  ],
  [
    'biome check --error-on-warnings .',
    'npm run --silent openapi -- --check',
    'npm run --silent lint:api',
    'node bin/check-cloud.ts --quick',
    'node lib/build/shelf-sizes.mjs',
  ],
];

const runLane = async (commands: readonly string[]): Promise<number> => {
  for (const command of commands) {
    const code = await runShown(command);
    if (code !== 0) return code;
  }
  return 0;
};

const codes = await Promise.all(lanes.map(runLane));
process.exitCode = codes.find((code) => code !== 0) ?? 0;
