import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, untilAnswered } from './ministack.ts';

/**
 * Sends the requests that our tests make to Stripe's stand-in to stripe-mock, Stripe's own server (MIT, from Go's module proxy), which checks parameters
 * against Stripe's OpenAPI document. Skipped, and said so, without Go.
 * @see https://github.com/stripe/stripe-mock
 */
const version = 'v0.203.0';
const run = promisify(execFile);
const tests = [
  ...['stripe', 'stripe-disputes', 'stripe-evidence', 'three-ds', 'stored-cards'].map(
    (name) => `test/payments/processors/${name}.test.ts`,
  ),
  ...['stripe-charges', 'register-webhook', 'sign-in'].map((name) => `test/disputes/connections/${name}.test.ts`),
];

/** Parameters that stripe-mock's document does not have, and that are left out: a gated feature, and one of API version 2026-10-28. */
const unknownThere = ['mit_exemption', 'intended_submission_method'];

type Call = {
  vendor: string;
  method: string;
  path: string;
  query: [string, string][];
  headers: Record<string, string>;
  body: string;
  status: number;
};

/** One of each kind: the same address and the same names of parameters. */
const callKind = ({ method, path, query, body }: Call): string =>
  [
    ...[method, path.replace(/\/(?:\w+_)\w+/g, '/{id}')],
    ...[...query.map(([name]) => name), ...new URLSearchParams(body).keys()].toSorted(),
  ].join(' ');

const installMock = async (): Promise<string> => {
  const folder = join(homedir(), '.cache/forewarn', `stripe-mock-${version}`);
  const program = join(folder, 'stripe-mock');
  if (!existsSync(program))
    await run('go', ['install', `github.com/stripe/stripe-mock@${version}`], {
      env: { ...process.env, GOBIN: folder },
    });
  return program;
};

const recordCalls = async (file: string): Promise<Call[]> => {
  await run('node_modules/.bin/vitest', ['run', ...tests], {
    ...{ env: { ...process.env, FOREWARN_CALLS_FILE: file }, maxBuffer: 1 << 26 },
  });
  const calls = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Call);
  const own = calls.filter(
    (one) => one.vendor === 'stripe' && one.status === 200 && !/^\/oauth|^\/v1\/files/.test(one.path),
  );
  return [...new Map(own.map((one) => [callKind(one), one])).values()];
};

const ask = async (base: string, { method, path, query, headers, body }: Call): Promise<string | undefined> => {
  const asked = query.length > 0 ? `?${new URLSearchParams(query)}` : '';
  const sent = { authorization: 'Bearer sk_test_123', 'content-type': headers['content-type'] ?? '' };
  const form = new URLSearchParams(
    [...new URLSearchParams(body)].filter(([name]) => !unknownThere.some((one) => name.includes(one))),
  );
  const response = await fetch(`${base}${path}${asked}`, { method, headers: sent, ...(body !== '' && { body: form }) });
  const text = await response.text();
  return response.ok ? undefined : `${method} ${path}: ${response.status} ${text.replace(/\s+/g, ' ').slice(0, 300)}`;
};

const program = await installMock().catch((error: unknown) => String(error).split('\n')[0]);
if (program === undefined || !existsSync(program)) {
  process.stdout.write(`!!! SKIPPED stripe-mock: it cannot be installed (${program})\n`);
} else {
  const folder = mkdtempSync(join(tmpdir(), 'forewarn-stripe-mock-'));
  const port = await freePort();
  const mock = spawn(program, ['-http-port', String(port)], { stdio: 'ignore' });
  try {
    const calls = await recordCalls(join(folder, 'calls.jsonl'));
    await untilAnswered(`http://127.0.0.1:${port}/v1/balance`, mock, { authorization: 'Bearer sk_test_123' });
    const problems: string[] = [];
    for (const call of calls) problems.push(...[(await ask(`http://127.0.0.1:${port}`, call)) ?? []].flat());
    process.stdout.write(
      `${problems.map((one) => `${one}\n`).join('')}stripe-mock ${version}: ${calls.length} kinds of requests, ${problems.length} refused\n`,
    );
    process.exitCode = problems.length === 0 && calls.length > 20 ? 0 : 1;
  } finally {
    mock.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}
