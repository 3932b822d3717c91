import type { Flavour } from '#lib/build/bundle.ts';
import { readDeclared } from './declared.ts';
import { createDigests } from './digests.ts';
import { createFunctionCode, type FunctionCode } from './function-code.ts';
import { type BuiltTemplate, buildTemplate } from './template.ts';

/** What a local stack is started from. */
export type Build = {
  template: BuiltTemplate;
  /** The folder with the template. */
  templateFolder: string;
  code: FunctionCode;
  /** Every function, `area/name`. */
  names: readonly string[];
};

/**
 * The template, synthesized if its sources are others than before; the functions' code is built when it is first wanted. Safe
 * beside other processes that do the same. Throws UserError with what is wrong in the sources.
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
