import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const held = new Map<string, Promise<Uint8Array | undefined>>();

/** Reads a file of the app that is deployed with the function's code, once; undefined if there is none of this name. */
export const readAppFile = (name: string): Promise<Uint8Array | undefined> => {
  const reading = held.get(name) ?? readFile(join(import.meta.dirname, 'app', name)).catch(absent);
  held.set(name, reading);
  return reading;
};

const absent = (error: unknown): undefined => {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
};
