import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import * as v from 'valibot';
import { listenOnLoopback } from '#lib/local/aws/listen.ts';
import { runCommand } from '#lib/local/command.ts';
import { UserError } from '#lib/local/user-error.ts';
import {
  type CreateUser,
  type GuideResult,
  GuideTenant,
  guideLines,
  makeGuideTenant,
  proveGuide,
  renewPaymentSite,
} from '#lib/operator/guides/prove-guides.ts';
import { createStageControl } from '#lib/operator/guides/stage-control.ts';
import { runUser } from './commands/run-user.ts';

/**
 * Runs the guides on a deployed stage, as a step of `npm run prove`: `node bin/prove-guides.ts --stage <name> --region <name> --url <API> --receiver <URL>`.
 * The tenant is kept in a file, for the case that the step is run again.
 */
const text = { type: 'string' } as const;
const options = { stage: text, region: text, url: text, receiver: text } as const;
const Flags = v.object({ stage: v.string(), region: v.string(), url: v.string(), receiver: v.string() });

const withoutSlash = (address: string): string => address.replace(/\/$/, '');
const run = promisify(execFile);

await runCommand(async (args) => {
  const asked = v.safeParse(Flags, parseArgs({ args, options }).values);
  if (!asked.success) throw new UserError('Give --stage, --region, --url and --receiver.');
  const { stage, region, receiver } = asked.output;
  const url = withoutSlash(asked.output.url);
  const sink = withoutSlash(receiver);
  const createUser: CreateUser = async (username, mid) => {
    const scope = mid === null ? ['--admin'] : ['--mid', String(mid)];
    const made = await runUser(['create', username, ...scope, '--program', '--stage', stage, '--region', region]);
    return { username, password: String(made['password']) };
  };
  const tenantFile = `dist/prove/${stage}-guides.json`;
  mkdirSync(dirname(tenantFile), { recursive: true });
  const kept = existsSync(tenantFile)
    ? v.parse(GuideTenant, JSON.parse(readFileSync(tenantFile, 'utf8')))
    : await makeGuideTenant(url, sink, createUser);
  writeFileSync(tenantFile, JSON.stringify(kept), { mode: 0o600 });
  const group = `/aws/lambda/forewarn-${stage}-receiver`;
  const readLog = async (since: number): Promise<string> => {
    const query = ['--log-group-name', group, '--start-time', String(since), '--region', region, '--output', 'json'];
    return (await run('aws', ['logs', 'filter-log-events', ...query], { maxBuffer: 64 << 20 })).stdout;
  };
  const credentials = await renewPaymentSite(url, kept);
  const server = createStageControl({ credentials, readLog, nowMilliseconds: Date.now, wait: () => wait(5000) });
  const control = await listenOnLoopback(server);
  const where = { url, sink, control: control.url };
  const results: GuideResult[] = [];
  for (const page of globSync('docs/guides/*.md').sort()) {
    const result = await proveGuide(page, readFileSync(page, 'utf8'), where);
    if (!result) continue;
    results.push(result);
    process.stdout.write(`${guideLines([result]).join('\n')}\n`);
  }
  await control.close();
  if (results.some(({ problem }) => problem !== null)) process.exitCode = 1;
});
