import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Listening, listenOnLoopback } from '#lib/local/aws/listen.ts';
import { writeEndpoints } from '#lib/local/endpoints.ts';
import {
  type GuideTenant,
  guideLines,
  makeGuideTenant,
  proveGuide,
  renewPaymentSite,
} from '#lib/operator/guides/prove-guides.ts';
import { createStageControl } from '#lib/operator/guides/stage-control.ts';
import { programEnvironment } from '#test/support/command.ts';
import { learn } from '#test/support/secret-leak-scan.ts';
import { useStack } from '#test/support/stack.ts';
import { startStageReceiver } from '#test/support/stage-receiver.ts';

/** Runs the guides as `npm run prove` does, with the local service in place of the stage. */

const pages = globSync('docs/guides/*.md');
const folder = mkdtempSync(join(tmpdir(), 'forewarn-guides-'));
const run = promisify(execFile);

const service = await useStack({ real: true, withDemo: false });
let receiver: Awaited<ReturnType<typeof startStageReceiver>>;
let control: Listening;
let where: { url: string; control: string; sink: string };
let tenant: GuideTenant;

const createUser = async (username: string, mid: number | null) => {
  const scope = mid === null ? ['--admin'] : ['--mid', String(mid)];
  const args = [resolve('bin/user.ts'), 'create', username, ...scope, '--program', '--json'];
  const { stdout } = await run(process.execPath, args, { env: { ...programEnvironment(), DATA_DIR: folder } });
  const { password } = JSON.parse(stdout);
  learn(password);
  return { username, password };
};

beforeAll(async () => {
  writeEndpoints(folder, service.stack.endpoints());
  const nowMilliseconds = () => service.clock.now().getTime();
  receiver = await startStageReceiver(nowMilliseconds);
  tenant = await makeGuideTenant(service.url, receiver.url, createUser);
  const readLog = async (since: number) => receiver.log(since);
  const server = createStageControl({ credentials: tenant, readLog, nowMilliseconds, wait: () => service.untilIdle() });
  control = await listenOnLoopback(server);
  where = { url: service.url, control: control.url, sink: receiver.url };
});
afterAll(async () => {
  await control.close();
  receiver.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the guides on a stage', () => {
  it.each(pages)('do what they say: %s', async (page) => {
    const result = await proveGuide(page, readFileSync(page, 'utf8'), where);
    expect(result?.problem ?? null).toBeNull();
  });

  it('are found at fault if they print something else, or a command fails', async () => {
    const page = (command: string) => `\`\`\`sh\n${command}\n\`\`\`\n\n\`\`\`output\nyes\n\`\`\`\n`;
    expect(await proveGuide('a page', page('echo yes'), where)).toMatchObject({ problem: null });
    expect(await proveGuide('a page', page('echo no'), where)).toMatchObject({ problem: 'printed no, not ^yes$' });
    expect(await proveGuide('a page', page('false'), where)).toMatchObject({
      problem: expect.stringContaining('failed'),
    });
  });

  it('name the commands that are left out, with the reason', async () => {
    const page = 'docs/guides/answer-alerts.md';
    const result = await proveGuide(page, readFileSync(page, 'utf8'), where);
    expect(result && guideLines([result])).toEqual([
      'docs/guides/answer-alerts.md: does what it says',
      '  commands not run: the receiver of a proof cannot be told how to answer',
    ]);
  });

  it('take payments at another site when they are run again', async () => {
    const renewed = await renewPaymentSite(service.url, tenant);
    expect(renewed.payment_site.sid).not.toBe(tenant.payment_site.sid);
    expect(renewed.site).toEqual(tenant.site);
  });
});
