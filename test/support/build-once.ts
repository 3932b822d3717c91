import type { TestProject } from 'vitest/node';
import { openBuild } from '../../lib/local/build/build.ts';
import { openKeptDemos } from './kept-demos.ts';
import { removeScratchFolder } from './scratch-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of the synthesized template, made once for all test files. */
    templateFolder: string;
    /** Where the code of each function lies, `area/name`; of those that were built before the first test. */
    codeFolders: Readonly<Record<string, string>>;
    /** Where the demo tenant and its past are kept, with which stacks begin. */
    keptDemos: string;
  }
}

/** `vitest run` and nothing else: no file and no name of a test. */
const isWhole = process.argv
  .slice(2)
  .every((word) => word === 'run' || /^--(?!testNamePattern|changed|related)/.test(word));

/**
 * Vitest's global set-up: one synthesis for the whole run, and for a run of the whole suite all functions in few passes. A run
 * of some files builds what they want when they want it.
 */
export const setup = async (project: TestProject): Promise<void> => {
  const { templateFolder, code, names } = await openBuild();
  if (isWhole) await code.prepare(names, names.length);
  const folders = isWhole
    ? await Promise.all(names.map(async (name) => [name, await code.folderOf(name)] as const))
    : [];
  project.provide('templateFolder', templateFolder);
  project.provide('keptDemos', openKeptDemos());
  project.provide('codeFolders', Object.fromEntries(folders));
};

export const teardown = removeScratchFolder;
