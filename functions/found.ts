import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

type Named = { area: string; name: string };

const root = import.meta.dirname;

/** `<area>/<name>` of every folder that has such a file, in order. */
const foldersWith = (file: string): Named[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(/[\\/]/))
    .flatMap(([area = '', name = '', last, ...deeper]) =>
      last === file && deeper.length === 0 ? [{ area, name }] : [],
    )
    .sort((one, other) => (join(one.area, one.name) < join(other.area, other.name) ? -1 : 1));

/** What a declaration cannot do without. */
const needed = {
  'operation.ts': ['summary', 'description', 'method', 'path', 'auth', 'reply', 'errors', 'grants'],
  'worker.ts': ['summary', 'on', 'grants'],
} as const;

/** The fields that a declaration in such a file leaves out. */
export const fieldsMissing = (file: keyof typeof needed, declared: object): string[] =>
  needed[file].filter((field) => !(field in declared));

const isNamed = (value: unknown): value is Named =>
  typeof value === 'object' && value !== null && 'area' in value && 'name' in value && 'summary' in value;

/**
 * The declarations that lie in `functions/<area>/<name>/<file>`, by folder. Each file exports the one that its folder names.
 * Throws an Error that says which file does not, or what it leaves out.
 */
export const declarationsIn = (file: keyof typeof needed): Promise<readonly unknown[]> =>
  Promise.all(
    foldersWith(file).map(async ({ area, name }) => {
      const path = join(root, area, name, file);
      const exported: Record<string, unknown> = await import(pathToFileURL(path).href);
      const found = Object.values(exported)
        .filter(isNamed)
        .find((one) => one.area === area && one.name === name);
      if (found === undefined) {
        throw new Error(`functions/${area}/${name}/${file} exports nothing with area '${area}' and name '${name}'`);
      }
      const missing = fieldsMissing(file, found);
      if (missing.length > 0)
        throw new Error(`functions/${area}/${name}/${file} does not declare ${missing.join(', ')}`);
      return found;
    }),
  );
