import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const held = new Map<string, Promise<string>>();

/** Reads a file deployed with the function's code, as listed in the operation's `assets`; once. */
export const readAsset = (name: string): Promise<string> => {
  const reading = held.get(name) ?? readFile(join(import.meta.dirname, name), 'utf8');
  held.set(name, reading);
  return reading;
};
