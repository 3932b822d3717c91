import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import type { newTimedId } from '#core/kernel/ids.ts';
import type { placeAssets, readAssetBytes } from '#core/platform/http/asset-store.ts';
import type { Worker } from '#core/platform/operation/worker.ts';
import type { keyRing, secretText } from '#core/platform/secrets/secrets.ts';

/** The handlers of the previous release: a module that `write-previous.ts` builds, compressed, and what it was built from. */

const folder = import.meta.dirname;
export const keptFile = join(folder, 'handlers.mjs.br');
export const recordFile = join(folder, 'release.json');

export type KeptRecord = { version: string; commit: string; sha256: string; command: string };
export const readRecord = (): KeptRecord => JSON.parse(readFileSync(recordFile, 'utf8')) as KeptRecord;

export type PreviousRelease = {
  /** By `<area>/<name>`. */
  handlers: Readonly<Record<string, unknown>>;
  workers: readonly Worker[];
  newTimedId: typeof newTimedId;
  keyRing: typeof keyRing;
  secretText: typeof secretText;
  placeAssets: typeof placeAssets;
  readAssetBytes: typeof readAssetBytes;
};

/** The text of the module. Throws an Error if it is not the one that the record names. */
export const keptModule = (): Buffer => {
  const { sha256, command } = readRecord();
  const module = brotliDecompressSync(readFileSync(keptFile));
  const found = createHash('sha256').update(module).digest('hex');
  if (found !== sha256) throw new Error(`${keptFile} has the checksum ${found}, not ${sha256}: run ${command}`);
  return module;
};

/** Below this folder Node finds the packages that the module imports. */
const cache = join(folder, '../../../node_modules/.cache/previous-release');

/** Writes the module where it can be imported, once for all processes. */
const unpacked = (): string => {
  const file = join(cache, `${readRecord().sha256}.mjs`);
  if (existsSync(file)) return file;
  mkdirSync(cache, { recursive: true });
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, keptModule());
  renameSync(draft, file);
  return file;
};

let loading: Promise<PreviousRelease> | undefined;

/** Loads the previous release into this process. Call it outside of worlds. */
export const previousRelease = (): Promise<PreviousRelease> => {
  loading ??= import(pathToFileURL(unpacked()).href) as Promise<PreviousRelease>;
  return loading;
};
