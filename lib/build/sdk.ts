import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

/** The folder with the source of the 3-D Secure SDK and its permanent builds. */
export const sdkFolder = join('lib', 'sdk', 'three-ds');

/** A file of the SDK, by the name that it is kept under. */
export type SdkFile = { name: string; contents: string };

type Entry = { entry: string; format: 'esm' | 'iife' };

const bundle = async (root: string, { entry, format }: Entry, folder = sdkFolder): Promise<string> => {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [join(folder, entry)],
    bundle: true,
    format,
    target: ['es2021'],
    minify: true,
    legalComments: 'none',
    charset: 'utf8',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
};

/** Returns the attribute that merchants add to a script tag so that their payers' browsers run exactly this script. */
export const sriHash = (contents: string): string => `sha384-${createHash('sha384').update(contents).digest('base64')}`;

/** Version and hash of every file that is served permanently, the newest first. */
export type Integrity = { latest: string; versions: Record<string, Record<string, string>> };

const readSdkVersion = async (root: string, folder = sdkFolder): Promise<string> => {
  const source = await readFile(join(root, folder, 'version.ts'), 'utf8');
  const [, version] = /version = '(\d+\.\d+\.\d+)'/.exec(source) ?? [];
  if (version === undefined) throw new Error(`${folder}/version.ts names no version`);
  return version;
};

/** Builds the SDK from its source: an ES module and a plain script under its version, and the scripts of our own pages. */
export const buildSdk = async (root: string): Promise<{ version: string; files: SdkFile[] }> => {
  const version = await readSdkVersion(root);
  const entries = [
    { name: `${version}.mjs`, entry: 'index.ts', format: 'esm' },
    { name: `${version}.js`, entry: 'global.ts', format: 'iife' },
    { name: 'frame.js', entry: 'frame.ts', format: 'iife' },
    { name: 'return.js', entry: 'return.ts', format: 'iife' },
    { name: 'shop.js', entry: 'shop.ts', format: 'iife' },
  ] as const;
  const files = await Promise.all(
    entries.map(async ({ name, ...entry }) => ({ name, contents: await bundle(root, entry) })),
  );
  return { version, files };
};

/** The folder with the source of the device snippet and its permanent builds. */
export const deviceFolder = join('lib', 'sdk', 'device');

/** Builds the device snippet, under its version. */
export const buildDeviceSnippet = async (root: string): Promise<SdkFile> => {
  const version = await readSdkVersion(root, deviceFolder);
  return {
    name: `${version}.device.js`,
    contents: await bundle(root, { entry: 'index.ts', format: 'iife' }, deviceFolder),
  };
};

/** The hashes with those of a version that was just built. */
export const withVersion = (before: Integrity | undefined, version: string, files: readonly SdkFile[]): Integrity => ({
  latest: version,
  versions: {
    [version]: Object.fromEntries(
      files.filter(({ name }) => name.startsWith(version)).map(({ name, contents }) => [name, sriHash(contents)]),
    ),
    ...Object.fromEntries(Object.entries(before?.versions ?? {}).filter(([one]) => one !== version)),
  },
});
