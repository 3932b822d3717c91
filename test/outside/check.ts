import { spawn } from 'node:child_process';

/**
 * `npm run check:outside`: has programs that others wrote judge Forewarn. Each is installed by version outside the repository. What cannot be installed is
 * skipped and said so; with CI=true it fails.
 */
const referees: readonly { name: string; needs: string; args: readonly string[] }[] = [
  { name: 'cfn-lint over the templates', needs: 'python3', args: ['test/outside/lint-templates.ts'] },
  { name: 'MiniStack, deployed and played', needs: 'python3', args: ['test/outside/prove-ministack.ts'] },
];

const run = (command: string, args: readonly string[], quiet = false): Promise<number> =>
  new Promise((resolve) => {
    const child = spawn(command, args, { stdio: quiet ? 'ignore' : 'inherit' });
    child.on('error', () => resolve(127));
    child.on('close', (code) => resolve(code ?? 1));
  });

let failed = 0;
for (const { name, needs, args } of referees) {
  if ((await run(needs, ['-c', 'import venv'], true)) !== 0) {
    process.stdout.write(`!!! SKIPPED ${name}: ${needs} with venv is missing\n`);
    if (process.env['CI'] === 'true') failed++;
    continue;
  }
  const began = performance.now();
  const code = await run(process.execPath, args);
  process.stdout.write(
    `${code === 0 ? 'passed' : 'FAILED'}: ${name}, ${((performance.now() - began) / 1000).toFixed(0)} s\n`,
  );
  if (code !== 0) failed++;
}
process.exitCode = failed === 0 ? 0 : 1;
