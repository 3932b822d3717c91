import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildSdk, type Integrity, sdkFolder, sriHash } from '#lib/build/sdk.ts';
import { sdkAssets, sdkHeaders, sdkVersions } from '#payments/threeds/payer/sdk-files.ts';

const released = (name: string): Promise<string> => readFile(join(sdkFolder, 'released', name), 'utf8');

let built: Awaited<ReturnType<typeof buildSdk>>;
let integrity: Integrity;
beforeAll(async () => {
  built = await buildSdk(process.cwd());
  integrity = JSON.parse(await released('integrity.json'));
});
const ownScripts = () => built.files.filter(({ name }) => name.startsWith(built.version));

describe('the 3-D Secure SDK', () => {
  it('has at most 8 KB, compressed, as a module and as a plain script', () => {
    expect(ownScripts().map(({ name }) => name.split('.').at(-1))).toEqual(['mjs', 'js']);
    for (const { name, contents } of ownScripts()) {
      expect(gzipSync(contents, { level: 9 }).length, name).toBeLessThanOrEqual(8 * 1024);
    }
  });

  it('makes no code or markup of text, keeps nothing in the browser, and loads nothing', () => {
    const forbidden =
      /\beval\b|new Function|innerHTML|insertAdjacentHTML|document\.write|localStorage|sessionStorage|indexedDB|\.cookie\b/;
    for (const { name, contents } of built.files) {
      expect(contents, name).not.toMatch(forbidden);
      expect(contents, name).not.toMatch(/\bimport\s*\(|^import\b|\brequire\(/m);
    }
  });

  it('is served as built from its source; after a change, raise its version and run `npm run sdk`', async () => {
    const stale = [];
    for (const { name, contents } of built.files) if ((await released(name)) !== contents) stale.push(name);
    expect(stale).toEqual([]);
  });

  it('names the hash of every version, all of which are served', async () => {
    expect([integrity.latest, Object.keys(integrity.versions)]).toEqual([built.version, [...sdkVersions]]);
    for (const [version, hashes] of Object.entries(integrity.versions)) {
      expect(Object.keys(hashes)).toEqual([`${version}.mjs`, `${version}.js`]);
      for (const [name, hash] of Object.entries(hashes)) {
        expect(sriHash(await released(name)), name).toBe(hash);
        expect(sdkAssets[name]).toBe(`lib/sdk/three-ds/released/${name}`);
      }
    }
  });

  it('is served to any page: versions are cached permanently, the latest for five minutes', () => {
    for (const name of Object.keys(sdkAssets)) {
      const isForGood = /^\d/.test(name);
      expect(sdkHeaders(name), name).toMatchObject({
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': isForGood ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
      });
    }
    for (const name of ['v2.mjs', 'constructor', '1.0.0.ts', 'frame.js']) expect(sdkHeaders(name)).toBeUndefined();
  });
});
