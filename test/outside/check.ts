import { spawn } from 'node:child_process';
import { installPython, miniStackVersion } from './ministack.ts';
import { schemathesisVersion } from './schemathesis.ts';

/**
 * `npm run check:outside`: has programs that others wrote judge Forewarn. Each is installed by version outside the repository; one that cannot be installed,
 * because Python, Go or the network is missing, is skipped and said so. The two lists run side by side, as each waits for the other programs it starts.
 */
type Referee = { name: string; script: string; python?: readonly [program: string, version: string] };
const lists: readonly (readonly Referee[])[] = [
  [
    {
      ...{ name: 'cfn-lint over the templates', script: 'test/outside/lint-templates.ts' },
      python: ['cfn-lint', '1.58.0'],
    },
    {
      ...{ name: 'MiniStack, deployed and played', script: 'test/outside/prove-ministack.ts' },
      python: ['ministack', miniStackVersion],
    },
  ],
  [
    { name: 'schemas of Shopify and Braintree', script: 'test/outside/compare-schemas.ts' },
    { name: 'the Postman collection, played by Newman', script: 'test/outside/try-postman.ts' },
    { name: 'the clients, installed by pip and Composer', script: 'test/outside/install-clients.ts' },
    { name: 'stripe-mock, asked as Stripe is', script: 'test/outside/try-stripe-mock.ts' },
    {
      ...{ name: 'Schemathesis against the local stack', script: 'test/outside/try-api.ts' },
      python: ['schemathesis', schemathesisVersion],
    },
  ],
];

const run = (script: string): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ['--import', './lib/local/preflight.mjs', script]);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });

/** Returns whether it found nothing; one that cannot be installed finds nothing. */
const judge = async ({ name, script, python }: Referee): Promise<boolean> => {
  const problem = await (python ? installPython(...python) : Promise.resolve('')).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  if (problem !== undefined) {
    process.stdout.write(`!!! SKIPPED ${name}: it cannot be installed (${problem.split('\n')[0]})\n`);
    return true;
  }
  const began = performance.now();
  const { code, output } = await run(script);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  process.stdout.write(`${output}${code === 0 ? 'passed' : 'FAILED'}: ${name}, ${seconds} s\n`);
  return code === 0;
};

const results = await Promise.all(
  lists.map(async (referees) => {
    const found: boolean[] = [];
    for (const referee of referees) found.push(await judge(referee));
    return found.every(Boolean);
  }),
);
process.exitCode = results.every(Boolean) ? 0 : 1;
