import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { type BrowserApp, buildBrowserApp } from '#lib/build/browser-app.ts';

let app: BrowserApp;
beforeAll(async () => {
  app = await buildBrowserApp('dashboard', process.cwd());
});

const kilobytes = 1024;
const gzipBytes = (names: readonly string[]): number =>
  app.files.filter(({ name }) => names.includes(name)).reduce((sum, { gzipped }) => sum + gzipped.length, 0);
const endingWith = (ending: string) => app.files.map(({ name }) => name).filter((name) => name.endsWith(ending));
const catalogues = () => endingWith('.js').filter((name) => /^(de|fr|es|pt)-/.test(name));

describe('the dashboard, as it is built,', () => {
  it('loads at most 63 KB of scripts before it can be used, 208 KB in all, 48 KB of a language, and 14 KB of styles', () => {
    const { atOnce, later } = app.scripts;
    expect([...atOnce, ...later].sort()).toEqual(endingWith('.js'));
    expect(gzipBytes(atOnce)).toBeLessThanOrEqual(63 * kilobytes);
    const code = endingWith('.js').filter((name) => !catalogues().includes(name));
    // Screens are fetched when they are opened: their charts, fees and results do not delay the first one.
    expect(gzipBytes(code)).toBeLessThanOrEqual(208 * kilobytes);
    // A browser loads one catalogue at most.
    for (const name of catalogues()) expect(gzipBytes([name])).toBeLessThanOrEqual(48 * kilobytes);
    expect(gzipBytes(endingWith('.css'))).toBeLessThanOrEqual(14 * kilobytes);
  });

  it('has a script of its own for each language, which English does not load', () => {
    expect(catalogues().map((name) => name.slice(0, 2))).toEqual(['de', 'es', 'fr', 'pt']);
    expect(app.scripts.atOnce.filter((name) => catalogues().includes(name))).toEqual([]);
  });

  it('is scripts and one sheet of styles, no font and no picture', () => {
    expect(endingWith('.css')).toHaveLength(1);
    expect(app.files.map(({ name }) => name.split('.').at(-1)).filter((end) => end !== 'js' && end !== 'css')).toEqual(
      [],
    );
  });

  it('has a content hash in each file name, and a page that names the files', () => {
    for (const { name } of app.files) expect(name).toMatch(/^[\w-]+-[A-Z0-9]{8}\.(js|css)$/);
    const named = [...app.html.matchAll(/(?:src|href)="(dashboard\/[^"]+)"/g)].map(([, file]) => file);
    const first = [...app.scripts.atOnce, ...endingWith('.css')].map((file) => `dashboard/${file}`);
    expect(named.sort()).toEqual([...first, 'dashboard/forewarn.webmanifest'].sort());
  });

  it('has a worker of at most 1 KB and a manifest under lasting names', () => {
    expect(app.lasting.map(({ name }) => name)).toEqual(['push-worker.js', 'forewarn.webmanifest']);
    for (const { gzipped } of app.lasting) expect(gzipped.length).toBeLessThanOrEqual(kilobytes);
  });

  it('is stored compressed with gzip and Brotli', () => {
    for (const { contents, gzipped, brotli } of [...app.files, ...app.lasting]) {
      expect(gunzipSync(gzipped).equals(contents)).toBe(true);
      expect(brotliDecompressSync(brotli).equals(contents)).toBe(true);
    }
  });

  it('is the same, byte for byte, each time it is built', async () => {
    expect(await buildBrowserApp('dashboard', process.cwd())).toEqual(app);
  });
});
