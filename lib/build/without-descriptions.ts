import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

const text = String.raw`(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\x60(?:[^\x60\\]|\\.)*\x60|[\w.[\]]+)`;
const description = new RegExp(String.raw`,\s*v\.description\(\s*${text}(?:\s*\+\s*${text})*,?\s*\)`, 'g');

/** The field of an operation that offers it to agents, which only the MCP server reads, from a file of its own. */
const tool = /\n {2}tool: \{[^{}]*\},/g;

/** Removes descriptions of fields, and tools of operations, from a source; its lines keep their numbers. */
export const removeDescriptions = (source: string): string =>
  source.replace(description, withoutText).replace(tool, withoutText);

const withoutText = (found: string): string => found.replace(/[^\n]+/g, '');

/** Leaves the descriptions of fields and the tools of operations out of deployed functions: only documents made from them need them. */
export const withoutDescriptions: Plugin = {
  name: 'without-descriptions',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/functions\/.*\.ts$/ }, async ({ path }) => ({
      contents: removeDescriptions(await readFile(path, 'utf8')),
      loader: 'ts',
    })),
};
