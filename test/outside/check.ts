import { spawn } from 'node:child_process';
import { installPython, miniStackVersion } from './ministack.ts';

/**
 * `npm run check:outside`: has programs that others wrote judge Forewarn. Each is installed by version outside the repository; one that cannot be installed,
 * because Python or the network is missing, is skipped and said so.
 */
const referees: readonly { name: string; program: string; version: string; script: string }[] = [
  {
    name: 'cfn-lint over the templates',
    program: 'cfn-lint',
    version: '1.58.0',
    script: 'test/outside/lint-templates.ts',
  },
  {
    name: 'MiniStack, deployed and played',
    program: 'ministack',
    version: miniStackVersion,
    script: 'test/outside/prove-ministack.ts',
  },
];

const run = (script: string): Promise<number> =>
  new Promise((resolve) => {
    spawn(process.execPath, [script], { stdio: 'inherit' }).on('close', (code) => resolve(code ?? 1));
  });

let failed = 0;
for (const { name, program, version, script } of referees) {
  const problem = await installPython(program, version).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  if (problem !== undefined) {
    process.stdout.write(`!!! SKIPPED ${name}: it cannot be installed (${problem.split('\n')[0]})\n`);
    continue;
  }
  const began = performance.now();
  const code = await run(script);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  process.stdout.write(`${code === 0 ? 'passed' : 'FAILED'}: ${name}, ${seconds} s\n`);
  if (code !== 0) failed++;
}
process.exitCode = failed === 0 ? 0 : 1;
