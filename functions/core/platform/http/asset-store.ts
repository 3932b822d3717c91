import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const held = new Map<string, Promise<Buffer>>();
const places = new Map<string, string>();

/** Code that is not bundled has its assets elsewhere: tests name where. */
export const placeAssets = (assets: Readonly<Record<string, string>>): void => {
  for (const [name, path] of Object.entries(assets)) places.set(name, path);
};

/** Reads a file deployed with the function's code, as listed in the operation's `assets`; once. */
export const readAssetBytes = (name: string): Promise<Buffer> => {
  const reading = held.get(name) ?? readFile(places.get(name) ?? join(import.meta.dirname, name));
  held.set(name, reading);
  return reading;
};

/** The same as text. */
export const readAsset = async (name: string): Promise<string> => (await readAssetBytes(name)).toString('utf8');
