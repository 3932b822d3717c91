import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { inputsHash } from '../../lib/build/inputs.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'forewarn-inputs-'));
  for (const folder of ['functions/area', 'lib', 'bin', 'docs']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'functions/area/one.ts'), 'one');
  writeFileSync(join(root, 'lib/two.ts'), 'two');
  writeFileSync(join(root, 'package-lock.json'), '{}');
  return () => rmSync(root, { recursive: true, force: true });
});

const changedBy = async (change: () => void): Promise<boolean> => {
  const before = await inputsHash(root);
  change();
  return (await inputsHash(root)) !== before;
};

describe('the digest of what a build is made from', () => {
  it('is 64 hexadecimal digits, the same in another folder', async () => {
    const copy = mkdtempSync(join(tmpdir(), 'forewarn-copy-'));
    cpSync(root, copy, { recursive: true });
    const [here, there] = await Promise.all([inputsHash(root), inputsHash(copy)]);
    rmSync(copy, { recursive: true, force: true });
    expect(here).toMatch(/^[0-9a-f]{64}$/);
    expect(there).toBe(here);
  });

  it.each([
    ['a source changes', () => writeFileSync(join(root, 'functions/area/one.ts'), 'other')],
    ['a source is added', () => writeFileSync(join(root, 'bin/new.ts'), '')],
    ['a source is renamed', () => renameSync(join(root, 'lib/two.ts'), join(root, 'lib/three.ts'))],
    ['another package is installed', () => writeFileSync(join(root, 'package-lock.json'), '{"other":1}')],
    ['the compiler is told something else', () => writeFileSync(join(root, 'tsconfig.json'), '{}')],
    ['the deployment is told something else', () => writeFileSync(join(root, 'cdk.json'), '{}')],
  ])('changes when %s', async (_, change) => expect(await changedBy(change)).toBe(true));

  it('does not when something else does', async () => {
    expect(await changedBy(() => writeFileSync(join(root, 'docs/words.md'), 'words'))).toBe(false);
  });

  it('tells two files apart from one that holds the text of both', async () => {
    writeFileSync(join(root, 'lib/a.ts'), 'x');
    writeFileSync(join(root, 'lib/b.ts'), 'y');
    expect(
      await changedBy(() => {
        writeFileSync(join(root, 'lib/a.ts'), 'xy');
        writeFileSync(join(root, 'lib/b.ts'), '');
      }),
    ).toBe(true);
  });
});
