import { inject } from 'vitest';
import { readDeclared } from '../../lib/local/build/declared.ts';
import { createDigests } from '../../lib/local/build/digests.ts';
import { createFunctionCode, type FunctionCode } from '../../lib/local/build/function-code.ts';

let opened: FunctionCode | undefined;

/** The functions as they are deployed, each built once for all test files. */
export const builtCode = (): FunctionCode => {
  const before = inject('codeFolders');
  opened ??= createFunctionCode(readDeclared(inject('templateFolder')), createDigests());
  const { folderOf, ...code } = opened;
  // What was built before the first test is not looked at again.
  return { ...code, folderOf: async (name) => before[name] ?? folderOf(name) };
};
