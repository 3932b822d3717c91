import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startStack, type TestStack } from '#test/support/stack.ts';

/** The README's commands, typed in as they stand there; but for the address of the service. */
const readme = readFileSync('README.md', 'utf8');
const commandsUnder = (heading: string): string => {
  const [, section = ''] = readme.split(`## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, commands]) => commands).join('');
};

let service: TestStack;
beforeAll(async () => {
  service = await startStack({ real: true });
  // Before the payment, the README has the clock moved.
  await service.clock.advance('PT12H');
});
afterAll(() => service.stop());

it('a payment is taken, read, refunded and posted back by the commands of the README', async () => {
  const commands = commandsUnder('Take a payment in the sandbox');
  expect(commands).toContain('http://127.0.0.1:3000');
  const script = commands.replaceAll('http://127.0.0.1:3000', service.url);
  const { stdout, stderr } = await promisify(execFile)('sh', ['-euc', script]);
  expect(stderr).toBe('');
  const results = stdout.match(/"status":"OK"/g);
  expect(results?.length).toBeGreaterThanOrEqual(3);
  expect(stdout).toContain('"tx_action":"REFUND","amount":4');
  await service.untilIdle();
  expect(service.sinks.got('shop').map(({ body }) => JSON.parse(body).tx_action)).toEqual(['PAYMENT', 'REFUND']);
});
