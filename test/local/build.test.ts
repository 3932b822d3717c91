import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { operations } from '#functions/operations.ts';
import { workers } from '#functions/workers.ts';
import { type Declared, findDeclared, readDeclared, writeDeclared } from '#lib/local/build/declared-functions.ts';
import { createDigests } from '#lib/local/build/digests.ts';
import { createFunctionCode } from '#lib/local/build/function-code.ts';
import { createVersions } from '#lib/local/build/versions.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'forewarn-build-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

let written = 0;
/** Files of before, each later than the last: what is written while something is built is another matter. */
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  written += 1;
  const time = Date.now() / 1000 - 1000 + written;
  utimesSync(join(root, path), time, time);
};

describe('the versions of a thing', () => {
  const versions = (...words: string[]) => createVersions(join(root, 'dist', 'thing'), createDigests(root), ...words);
  const make = (sources: readonly string[]) => async (folder: string) => {
    writeFileSync(join(folder, 'made'), sources.map((path) => readFileSync(join(root, path), 'utf8')).join());
    return { sources, note: { made: true } };
  };
  beforeEach(() => {
    write('a.ts', 'a');
    write('b.ts', 'b');
    write('lib/build/tool.ts', 'tool');
    write('package-lock.json', '{}');
  });

  it('are found again for as long as the sources are the same, by other processes too', async () => {
    const made = await versions().add(make(['a.ts', 'b.ts']));
    expect(versions().find()).toEqual(made);
    expect(readFileSync(join(made.folder, 'made'), 'utf8')).toBe('a,b');
    write('other.ts', 'nothing to do with it');
    expect(versions().find()).toEqual(made);
  });

  it.each([
    ['a source changes', () => write('a.ts', 'other')],
    ['a source goes', () => rmSync(join(root, 'a.ts'))],
    [
      'a text moves from one source to the next',
      () => {
        write('a.ts', 'ab');
        write('b.ts', '');
      },
    ],
    ['the tools change', () => write('lib/build/tool.ts', 'other')],
    ['other packages are installed', () => write('package-lock.json', '{"other":1}')],
    ['the compiler is told something else', () => write('tsconfig.json', '{}')],
  ])('are not found when %s, and found again when it is as before', async (_, change) => {
    const made = await versions().add(make(['a.ts', 'b.ts']));
    change();
    expect(versions().find()).toBeUndefined();
    expect(versions().isCurrent(made)).toBe(false);
    for (const path of ['a.ts', 'b.ts']) write(path, path[0] ?? '');
    write('lib/build/tool.ts', 'tool');
    write('package-lock.json', '{}');
    rmSync(join(root, 'tsconfig.json'), { force: true });
    expect(versions().find()).toEqual(made);
  });

  it('are not used for a build with other options', async () => {
    await versions('one way').add(make(['a.ts']));
    expect(versions('another').find()).toBeUndefined();
  });

  it('are good for one run only when a source was edited meanwhile', async () => {
    const made = await versions().add(async (folder) => {
      const built = await make(['a.ts'])(folder);
      writeFileSync(join(root, 'a.ts'), 'edited');
      return built;
    });
    expect(readFileSync(join(made.folder, 'made'), 'utf8')).toBe('a');
    expect(versions().find()).toBeUndefined();
  });

  it('leave nothing behind when they cannot be made', async () => {
    const failing = versions().add(() => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(readdirSync(join(root, 'dist', 'thing'))).toEqual([]);
  });

  it('are one when they are made at the same time', async () => {
    const [one, other] = await Promise.all([versions().add(make(['a.ts'])), versions().add(make(['a.ts']))]);
    expect(other).toEqual(one);
    expect(readdirSync(join(root, 'dist', 'thing'))).toEqual([one?.key]);
  });
});

describe("the functions' code", () => {
  const named = (name: string): Declared => ({ area: 'things', name, deployedName: `things_${name}`, grants: {} });
  const declared = ['one', 'two', 'broken'].map(named);
  const code = () => createFunctionCode(declared, createDigests(root));
  const call = (folder: string): unknown => createRequire(import.meta.url)(join(folder, 'index.js')).handler();
  const built = (name: string): string[] => {
    const folder = join(root, 'dist', 'local', 'functions', 'things', name);
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  beforeEach(() => {
    write('functions/shop/things/shared.ts', 'export const word: string = "shared";');
    write('functions/shop/things/alone.ts', 'export const word: string = "alone";');
    const handler = (from: string) => `import { word } from '../../${from}.ts'; export const handler = () => word;`;
    write('functions/shop/things/api/one/handler.ts', handler('shared'));
    write('functions/shop/things/api/two/handler.ts', handler('alone'));
    write('functions/shop/things/api/broken/handler.ts', 'export const handler = () => {\n  oh no;\n};\n');
  });

  it('is built when it is first wanted, and once', async () => {
    const { folderOf } = code();
    const folders = await Promise.all([folderOf('things/one'), folderOf('things/one')]);
    expect(folders[0]).toBe(folders[1]);
    expect(call(folders[0] ?? '')).toBe('shared');
    expect([built('one').length, built('two').length]).toEqual([1, 0]);
    expect(await code().folderOf('things/one')).toBe(folders[0]);
  });

  it('is rebuilt only where its sources have changed', async () => {
    const { folderOf, listChanged } = code();
    const before = [await folderOf('things/one'), await folderOf('things/two')];
    expect(listChanged()).toEqual([]);
    write('functions/shop/things/shared.ts', 'export const word: string = "changed";');
    expect(listChanged()).toEqual(['things/one']);
    const after = [await folderOf('things/one'), await folderOf('things/two')];
    expect([call(after[0] ?? ''), after[1]]).toEqual(['changed', before[1]]);
    expect(listChanged()).toEqual([]);
  });

  it('reports where it does not build, blocks no other build, and builds when it is mended', async () => {
    const { folderOf, prepare } = code();
    const wanted = ['things/one', 'things/broken', 'things/two'].map(folderOf);
    const [one, broken, two] = await Promise.allSettled(wanted);
    expect([one?.status, two?.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(broken).toMatchObject({
      reason: {
        name: 'UserError',
        message: 'functions/shop/things/api/broken/handler.ts:2:6: Expected ";" but found "no"',
      },
    });
    write('functions/shop/things/api/broken/handler.ts', 'export const handler = () => "mended";');
    expect(call(await folderOf('things/broken'))).toBe('mended');
    expect(await prepare(['things/one', 'things/broken'])).toBe(0);
  });

  it('can be read in a debugger: names as written, and maps that lead to the sources', async () => {
    const folder = await createFunctionCode(declared, createDigests(root), 'readable').folderOf('things/one');
    const text = readFileSync(join(folder, 'index.js'), 'utf8');
    expect(text).toContain('var word = "shared";');
    const [, map = ''] = /sourceMappingURL=(\S+)/.exec(text) ?? [];
    const { sources } = JSON.parse(readFileSync(join(folder, map), 'utf8'));
    expect(sources).toContain(`file://${join(root, 'functions/shop/things/shared.ts')}`);
  });
});

describe('what is declared', () => {
  it('is found by the name of the deployed function, each by its own', () => {
    writeDeclared(root, [...operations, ...workers]);
    const declared = readDeclared(root);
    for (const one of declared) expect(findDeclared(declared, `forewarn-dev-${one.deployedName}`)).toEqual(one);
    expect(findDeclared(declared, 'forewarn-dev-nobody')).toBeUndefined();
    expect(readDeclared(join(root, 'elsewhere'))).toEqual([]);
  });
});
