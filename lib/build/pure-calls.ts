import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** Where calls only build values: declarations and schemas. */
const contractFiles = /functions[\\/](?:core[\\/]schema|[\w-]+[\\/](?:[\w-]+-)?(?:operations|workers|schemas))\.ts$/;
/** Calls of valibot that build a schema, of our schema builders (capitalised) and of the two declaring functions. */
const buildingCalls =
  /(?<![\w.])((?:v\.(?!parse\b|safeParse\b|assert\b)\w+|[A-Z]\w*|define(?:Operation|Worker))(?:<[^()]*>)?\()/g;

/**
 * Marks the calls that build declarations and schemas as pure, so that a function's bundle holds only those it uses:
 * esbuild takes a pure mark at the call across modules, but not one at the function's definition.
 */
export const pureCalls: Plugin = {
  name: 'pure-calls',
  setup: (build) => {
    build.onLoad({ filter: contractFiles }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      return { contents: markPure(source), loader: 'ts' };
    });
  },
};

/** The source with `@__PURE__` before each call that only builds a value. Declarations of functions stay as they are. */
export const markPure = (source: string): string =>
  source.replace(buildingCalls, (call, _name, offset: number) =>
    /\b(?:new|function)\s+$/.test(source.slice(Math.max(0, offset - 12), offset)) ? call : `/* @__PURE__ */ ${call}`,
  );
