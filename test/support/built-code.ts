import { inject } from 'vitest';
import { readDeclared } from '#lib/local/build/declared-functions.ts';
import { createDigests } from '#lib/local/build/digests.ts';
import { createFunctionCode, type FunctionCode } from '#lib/local/build/function-code.ts';

type Flavour = 'deployed' | 'linked';

const opened = new Map<Flavour, FunctionCode>();

const open = (flavour: Flavour): FunctionCode => {
  const code = createFunctionCode(readDeclared(inject('templateFolder')), createDigests(), flavour);
  opened.set(flavour, code);
  return code;
};

/** The functions as they are deployed, or those that share packages, each built once for all test files. */
export const builtCode = (flavour: Flavour = 'deployed'): FunctionCode => {
  const before = inject('codeFolders')[flavour];
  const { folderOf, prepare, ...code } = opened.get(flavour) ?? open(flavour);
  // A build from before the first test is not checked again.
  return {
    ...code,
    folderOf: async (name) => before[name] ?? folderOf(name),
    prepare: (names, portion) =>
      prepare(
        names.filter((name) => before[name] === undefined),
        portion,
      ),
  };
};
