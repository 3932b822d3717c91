import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Found } from './worker.ts';

const folder = mkdtempSync(join(tmpdir(), 'forewarn-corpus-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const toPath = (file: string): string => new URL(file, import.meta.url).pathname;
/** The service has a fault here that breaks an invariant where a message is lost, as in seed 32. */
const simulate = async (...given: readonly string[]): Promise<string> => {
  const args = ['--import', toPath('plant.ts'), toPath('simulate.ts'), '--folder', folder, '--workers', '1', ...given];
  const env = { ...process.env, FOREWARN_PLANTED: 'a sweep sends no e-mails' };
  return text(spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] }).stdout);
};

describe('a night of fresh seeds', () => {
  let printed = '';
  beforeAll(async () => {
    printed = await simulate('--nightly', '--minutes', '0.01', '--from', '21');
  });

  it('prints the story of a history that breaks an invariant, with the fault it takes and a command that repeats it', () => {
    expect(printed).toContain('npm run simulate -- --seed 32 --profile disorder\n');
    expect(printed).toContain('It takes these faults:\n  message lost @ mail message');
    expect(printed).toMatch(/\+\d+\.\d{3} s {2}wrote MAIL#/);
  });

  it('lists the histories that were the first to reach some code, which are played again', async () => {
    const lines = readFileSync(join(folder, 'reached.txt'), 'utf8').trim().split('\n');
    expect(lines[0]).toMatch(/^\w+ \d+$/);
    expect(printed).toContain(`${lines.length} reached code that none had reached before`);
    const found = JSON.parse(await simulate('--corpus', '--json')) as Found[];
    expect(found.map(({ profile, seed }) => `${profile} ${seed}`)).toEqual(expect.arrayContaining(lines));
  });

  it('keeps the history and its story in the corpus, which is played again', async () => {
    expect(printed).toContain(readFileSync(join(folder, 'disorder-32.txt'), 'utf8'));
    const found = JSON.parse(await simulate('--corpus', '--json')) as Found[];
    const again = found.find(({ seed, profile }) => seed === 32 && profile === 'disorder');
    expect(again?.violations.map(({ invariant }) => invariant)).toContain('nothing is owed at rest');
  });
});
