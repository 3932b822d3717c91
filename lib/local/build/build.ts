import type { Flavour } from '#lib/build/bundle.ts';
import { readDeclared } from './declared-functions.ts';
import { createDigests } from './digests.ts';
import { createFunctionCode, type FunctionCode } from './function-code.ts';
import { type BuiltTemplate, buildTemplate } from './template.ts';

/** The input for starting a local stack. */
export type Build = {
  template: BuiltTemplate;
  /** The folder with the template. */
  templateFolder: string;
  code: FunctionCode;
  /** Every function, `area/name`. */
  names: readonly string[];
};

/**
 * Opens the template, synthesized if its sources have changed; the functions' code is built on demand. Safe with other processes that do
 * the same. Throws UserError that names the error in the sources.
 */
export const openBuild = async (flavour: Flavour = 'deployed'): Promise<Build> => {
  const digests = createDigests();
  const template = await buildTemplate(digests);
  const declared = readDeclared(template.folder);
  return {
    template,
    templateFolder: template.folder,
    code: createFunctionCode(declared, digests, flavour),
    names: declared.map(({ area, name }) => `${area}/${name}`),
  };
};
