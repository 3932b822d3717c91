import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Runs the whole of `npm run mutate` on a small project. */
const root = mkdtempSync(join(tmpdir(), 'forewarn-mutated-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const write = (path: string, content: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
};
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], {
    cwd: root,
    encoding: 'utf8',
  });

const mutate = async (...args: string[]): Promise<{ out: string; status: number | null }> => {
  const child = spawn(
    process.execPath,
    [
      join(import.meta.dirname, 'mutate.ts'),
      '--root',
      root,
      '--cache',
      join(root, 'cache.json'),
      '--silence',
      '15',
      ...args,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { out: await text(child.stdout), status: await closed };
};

const limits = `export const limit: number = 1 + 1;
export const isAllowed = (count: number): boolean => count < limit;
export const sum = (numbers: readonly number[]): number => {
  let total = 0;
  for (let index = 0; index < numbers.length; index = index + 1) total = total + (numbers[index] as number);
  return total;
};
export const isNeverCalled = (): boolean => true;
export const clamp = (value: number): number => (value > 5 ? 5 : value);
`;
const limitsTest = `import { expect, it } from 'vitest';
import { clamp, isAllowed, limit, sum } from '../../functions/core/limits.ts';
let calls = 0;
it('is allowed below the limit', () => {
  expect([isAllowed(1), isAllowed(3)]).toEqual([true, false]);
});
it('adds up', () => {
  expect(sum([1, 2])).toBe(3);
});
it('clamps', () => {
  expect([clamp(4), clamp(5), clamp(6)]).toEqual([4, 5, 5]);
});
it('has a limit', () => {
  expect(limit).toBe(2);
});
`;

beforeAll(() => {
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(root, 'node_modules'));
  write('package.json', '{ "type": "module" }');
  write('functions/core/limits.ts', limits);
  write('test/core/limits.test.ts', limitsTest);
  write('test/core/broken.test.ts', "import { expect, it } from 'vitest';\nit('fails', () => expect(1).toBe(2));\n");
  write('docs/reference/mutation.md', '');
  write(
    'test/mutation/equivalent.json',
    JSON.stringify([
      {
        file: 'functions/core/limits.ts',
        was: 'value > 5',
        becomes: 'value >= 5',
        reason: 'At the limit, both branches return the limit.',
      },
    ]),
  );
});

describe('npm run mutate', () => {
  let first = { out: '', status: null as number | null };
  beforeAll(async () => {
    first = await mutate();
  });

  it('lists the mutants that no test kills, and those that no test reaches', () => {
    expect(first.out).toContain('✗ functions/core/limits.ts:2  count < limit → count <= limit\n');
    expect(first.out).toContain('- functions/core/limits.ts:8  true → false\n');
    expect(first.out.match(/^ {2}[✗-]/gm)).toHaveLength(2);
    expect(first.status).toBe(0);
  });

  it('kills a mutant of what modules do while they are loaded', () => {
    expect(first.out).not.toContain('1 + 1 → 1 - 1');
  });

  it('kills a mutant that loops', () => {
    expect(first.out).not.toContain('index + 1 → index - 1');
  });

  it('leaves out a test file that fails without a mutant', () => {
    expect(first.out).toContain('Not usable: test/core/broken.test.ts (fails: expected 1 to be 2');
  });

  it('writes the rates to a page, and the survivors to its record', () => {
    const page = readFileSync(join(root, 'docs/reference/mutation.md'), 'utf8');
    expect(page).toMatch(/\| core \| 85 % \| \d\d\.\d % \| \d+ \| 1 \| 1 \| \d{4}-\d\d-\d\d \|/);
    const { survivors } = JSON.parse(readFileSync(join(root, 'test/mutation/recorded.json'), 'utf8')).core;
    expect(survivors).toContainEqual(
      expect.objectContaining({
        file: 'functions/core/limits.ts',
        line: 2,
        becomes: 'count <= limit',
        isReached: true,
      }),
    );
  });

  it('notes which tests killed the mutants of a file', () => {
    const recorded = JSON.parse(readFileSync(join(root, 'test/mutation/recorded.json'), 'utf8'));
    expect(recorded.core.killers).toEqual({ 'functions/core/limits.ts': ['test/core/limits.test.ts'] });
  });

  it('tries nothing again if nothing has changed', async () => {
    const { out } = await mutate();
    expect(out).not.toMatch(/Exploring|to try/);
    expect(out.match(/^ {2}[✗-]/gm)).toHaveLength(2);
  });

  it('tries what survived again when its test has changed', async () => {
    write('test/core/limits.test.ts', limitsTest.replace('isAllowed(3)', 'isAllowed(2)'));
    const { out } = await mutate();
    expect(out).not.toContain('count < limit → count <= limit');
  });

  it('fails in a changed file only if its area falls below what was recorded', async () => {
    git('init', '--quiet', '--initial-branch', 'other');
    expect((await mutate('--changed')).out).toContain('git has no commit to compare with');
    git('add', 'functions', 'test', 'docs', 'package.json');
    git('commit', '--quiet', '--message', 'one');
    write('functions/core/limits.ts', limits.replace('total', 'amount').replaceAll('total', 'amount'));
    git('commit', '--quiet', '--all', '--message', 'two');
    expect(await mutate('--changed')).toMatchObject({ status: 0 });
    write(
      'functions/core/limits.ts',
      `${limits}export const more = (a: number): boolean => a > 1 && a < 9 && a !== 3;\n`,
    );
    write(
      'test/core/limits.test.ts',
      `${limitsTest.replace('{ clamp,', '{ more, clamp,')}it('has more', () => expect(more(5)).toBe(true));\n`,
    );
    const worse = await mutate('--changed');
    expect(worse.out).toContain('a > 1 → a >= 1');
    expect(worse.status).toBe(1);
    // A run that ended before all mutants were decided says nothing about the area.
    write('test/core/other.test.ts', "import { expect, it } from 'vitest';\nit('passes', () => expect(1).toBe(1));\n");
    const cut = await mutate('--changed', '--minutes', '0');
    expect(cut.out).toContain('a > 1 → a >= 1');
    expect(cut.status).toBe(0);
  });
});

const counts = `export const isFew = (count: number): boolean => count < 3;
export const isMany = (count: number): boolean => count > 30;
export const isSome = (count: number): boolean => count >= 3 && count <= 30;
`;

describe('npm run mutate -- --sample', () => {
  const readRecord = () => JSON.parse(readFileSync(join(root, 'test/mutation/recorded.json'), 'utf8'));
  let small = { out: '', status: null as number | null };
  beforeAll(async () => {
    await mutate('core');
    write('functions/jobs/counts.ts', counts);
    write(
      'test/jobs/counts.test.ts',
      `import { expect, it } from 'vitest';
import { isFew, isMany, isSome } from '../../functions/jobs/counts.ts';
it('counts', () => {
  for (const count of [2, 3, 4, 30, 31]) {
    expect([isFew(count), isMany(count), isSome(count)]).toEqual([count === 2, count === 31, count > 2 && count !== 31]);
  }
});
`,
    );
    small = await mutate('--sample', '2');
  });

  it('tries so many mutants of each area, and records how many these are of all', () => {
    expect(small.out).toMatch(/^2 mutants to try/m);
    expect(small.out).toContain('jobs: 100.0 % killed, goal 85 %, 2 of 8 tried\n');
    expect(small.status).toBe(0);
    const page = readFileSync(join(root, 'docs/reference/mutation.md'), 'utf8');
    expect(page).toMatch(/\| jobs \| 85 % \| 100\.0 % \| 2 of 8 tried \| 0 \| 0 \|/);
    expect(readRecord().jobs).toMatchObject({ untried: 6, files: { 'functions/jobs/counts.ts': [2, 2, 0] } });
  });

  it('leaves out areas that were measured in full', () => {
    expect(readRecord().core.files['functions/core/limits.ts'][0]).toBeGreaterThan(2);
    expect(small.out).not.toContain('core:');
  });

  it('tries only what a smaller sample did not', async () => {
    const { out } = await mutate('--sample', '5', 'jobs');
    expect(out).toMatch(/^3 mutants to try/m);
    expect(out).toContain('jobs: 100.0 % killed, goal 85 %, 5 of 8 tried\n');
  });

  it('fails for no area whose record is a sample', async () => {
    git('add', 'functions', 'test', 'docs');
    git('commit', '--quiet', '--message', 'three');
    write('functions/jobs/worse.ts', 'export const isLate = (at: number): boolean => at > 5 && at !== 7;\n');
    write(
      'test/jobs/worse.test.ts',
      `import { expect, it } from 'vitest';
import { isLate } from '../../functions/jobs/worse.ts';
it('is late', () => expect(isLate(6)).toBe(true));
`,
    );
    git('add', 'functions', 'test');
    git('commit', '--quiet', '--message', 'four');
    const { out, status } = await mutate('--changed');
    // The rate of this file alone, without those of the sample.
    expect(out).toMatch(/^jobs: 0\.0 % killed, goal 85 %$/m);
    expect(status).toBe(0);
  });

  it('is replaced when the area is measured in full, and then has to reach its rate', async () => {
    expect((await mutate('jobs')).out).toMatch(/^jobs: \d+\.\d % killed, goal 85 %$/m);
    expect(readRecord().jobs).not.toHaveProperty('untried');
    expect((await mutate('jobs', '--check')).out).toMatch(/^jobs: .* at least \d+ %$/m);
  });

  it('accepts no other number, and no selection of changed files', async () => {
    expect(await mutate('--sample', 'many')).toMatchObject({ status: 2 });
    expect(await mutate('--sample', '0')).toMatchObject({ status: 2 });
    expect(await mutate('--sample', '5', '--changed')).toMatchObject({ status: 2 });
  });
});
