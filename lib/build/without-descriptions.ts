import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

const text = String.raw`(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\x60(?:[^\x60\\]|\\.)*\x60|[\w.[\]]+)`;
const description = new RegExp(String.raw`,\s*v\.description\(\s*${text}(?:\s*\+\s*${text})*,?\s*\)`, 'g');

/** Removes descriptions of fields from a source; its lines keep their numbers. */
export const removeDescriptions = (source: string): string =>
  source.replace(description, (call) => call.replace(/[^\n]+/g, ''));

/** Leaves the descriptions of fields out of deployed functions: only the API document needs them. */
export const withoutDescriptions: Plugin = {
  name: 'without-descriptions',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/functions\/.*\.ts$/ }, async ({ path }) => ({
      contents: removeDescriptions(await readFile(path, 'utf8')),
      loader: 'ts',
    })),
};
