import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const cdk = 'node_modules/.bin/cdk';
const folder = mkdtempSync(join(tmpdir(), 'forewarn-cdk-'));
/** As an operator's shell is: whatever Node runs the CLI, and nothing of the test runner's environment. */
const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the CDK's own command", () => {
  let listed = '';
  beforeAll(async () => {
    const args = ['ls', '-c', 'stage=dev', '-c', 'checks=off', '-o', folder];
    listed = (await run(cdk, args, { env, maxBuffer: 1 << 26 })).stdout;
  });

  it('lists the stack of the stage', () => {
    expect(listed).toBe('forewarn-dev\n');
  });

  it('leaves an assembly from which the stack can be deployed', async () => {
    expect((await run(cdk, ['ls', '--app', folder], { env })).stdout).toBe('forewarn-dev\n');
  });

  it('is new enough for the assembly that the library writes', () => {
    const read = (file: string): Record<string, string> => JSON.parse(readFileSync(file, 'utf8'));
    const numbersOf = (version = '') => version.split('.').map(Number);
    const { minimumCliVersion } = read(join(folder, 'manifest.json'));
    const installed = numbersOf(read('node_modules/aws-cdk/package.json')['version']);
    const [difference] = numbersOf(minimumCliVersion)
      .map((wanted, index) => (installed[index] ?? 0) - wanted)
      .filter((one) => one !== 0);
    expect(minimumCliVersion).toMatch(/^\d+\.\d+\.\d+$/);
    expect(difference ?? 0).toBeGreaterThanOrEqual(0);
  });
});
