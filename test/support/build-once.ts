import type { TestProject } from 'vitest/node';
import { openBuild } from '#lib/local/build/build.ts';
import { readDeclared } from '#lib/local/build/declared-functions.ts';
import { createDigests } from '#lib/local/build/digests.ts';
import { createFunctionCode, type FunctionCode } from '#lib/local/build/function-code.ts';
import { openKeptDemos } from './kept-demos.ts';
import { removeScratchFolder } from './scratch-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of the synthesized template, made once for all test files. */
    templateFolder: string;
    /** Where the code of each function lies, `area/name`; of those that were built before the first test. */
    codeFolders: Readonly<Record<'deployed' | 'linked', Readonly<Record<string, string>>>>;
    /** Where the demo tenant and its past are kept, with which stacks begin. */
    keptDemos: string;
  }
}

/** `vitest run` and nothing else: no file and no name of a test. */
const words = process.argv.slice(2);
const isWhole = words.every((word) => word === 'run' || /^--(?!testNamePattern|changed|related)/.test(word));
/** Tests of functions as they are deployed are slow ones. */
const usesDeployed = isWhole && !words.includes('--project=!slow*');

/** esbuild is written in Go: with all functions in one pass, a quarter of its work was collecting garbage, two gigabytes or not. */
const goLimits = { GOGC: '400', GOMEMLIMIT: '2000MiB' };

/**
 * Vitest's global set-up: one synthesis for the whole run, and for a run of the whole suite all functions in few passes. A run
 * of some files builds what they want when they want it.
 */
export const setup = async (project: TestProject): Promise<void> => {
  Object.assign(process.env, goLimits);
  const { templateFolder, code, names } = await openBuild();
  const listFolders = async (built: FunctionCode, isWanted: boolean) => {
    if (!isWanted) return {};
    await built.prepare(names, names.length);
    return Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await built.folderOf(name)] as const)),
    );
  };
  project.provide('templateFolder', templateFolder);
  project.provide('keptDemos', openKeptDemos());
  const linked = createFunctionCode(readDeclared(templateFolder), createDigests(), 'linked');
  project.provide('codeFolders', {
    deployed: await listFolders(code, usesDeployed),
    linked: await listFolders(linked, isWhole),
  });
};

export const teardown = removeScratchFolder;
