import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { signIn } from '#lib/local/demo/demo-calls.ts';
import { installPython } from './ministack.ts';
import { schemathesisVersion } from './schemathesis.ts';
import { startService } from './start-service.ts';

/**
 * Has Schemathesis (MIT, from PyPI) make requests from docs/openapi.json, right and wrong ones, and send them to `npm start`: no answer of 5xx, none that
 * the document does not have, and no request accepted that it forbids.
 * @see https://schemathesis.readthedocs.io
 */

const checks = [
  ...['not_a_server_error', 'status_code_conformance', 'content_type_conformance', 'response_schema_conformance'],
  'negative_data_rejection',
];
/** Calls that end the session of the run, or change its password; and the bare address, which the local stack answers itself. */
const leftOut = '^/$|(session/end|session/refresh|users/password|api-keys/revoke)$';
/** The time is shared by all operations. Several workers are faster, and end some runs with a fault of Python 3.11 ("AST constructor recursion depth"). */
const seconds = Number(process.env['SCHEMATHESIS_SECONDS'] ?? '240');
/** `coverage` makes the same requests each time. `coverage,fuzzing` makes random ones as well, and finds what docs/coverage.md names. */
const phases = process.env['SCHEMATHESIS_PHASES'] ?? 'coverage';

/** `folder`: where it keeps its own files. */
const run = (folder: string, program: string, args: readonly string[]): Promise<number> =>
  new Promise((resolve) => {
    const env = { ...process.env, SCHEMATHESIS_HOOKS: 'schemathesis_hooks', PYTHONPATH: import.meta.dirname };
    spawn(program, args, { stdio: 'inherit', env, cwd: folder }).on('close', (code) => resolve(code ?? 1));
  });

const programs = await installPython('schemathesis', schemathesisVersion);
const folder = mkdtempSync(join(tmpdir(), 'forewarn-schemathesis-'));
const { url, service } = await startService(folder);
try {
  const { admin } = (await (await fetch(`${url}/_local/credentials`)).json()) as {
    admin: { username: string; password: string };
  };
  process.exitCode = await run(folder, join(programs, 'schemathesis'), [
    ...[
      '--config-file',
      join(import.meta.dirname, 'schemathesis.toml'),
      'run',
      resolve('docs/openapi.json'),
      '--url',
      url,
    ],
    ...['--header', `Authorization: Bearer ${await signIn(url, admin)}`, '--checks', checks.join(',')],
    ...['--phases', phases, '--max-examples', '5', '--seed', '1', '--max-time', String(seconds)],
    ...[
      '--workers',
      '1',
      '--no-shrink',
      '--continue-on-failure',
      '--suppress-health-check',
      'all',
      '--warnings',
      'off',
    ],
    ...['--request-timeout', '60', '--exclude-path-regex', leftOut],
  ]);
} finally {
  service.kill();
  rmSync(folder, { recursive: true, force: true });
}
