import type { TestProject } from 'vitest/node';
import { buildOnce } from '../../lib/local/build.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of the synthesized template and its bundles, made once for all test files. */
    templateFolder: string;
  }
}

/** Vitest's global set-up: one build and synthesis for the whole run. */
export const setup = async (project: TestProject): Promise<void> => {
  const { folder } = await buildOnce();
  project.provide('templateFolder', folder);
};
