import { existsSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The identity of an operation or a worker: the name of its area, and its own. */
type Named = { area: string; name: string };

const projectRoot = join(import.meta.dirname, '..');

/** The workers that serve several areas are in `functions/jobs/<worker>/`, without a shelf. */
const sharedJobs = 'jobs';

/**
 * The folder of an operation or a worker, relative to the project: `functions/<shelf>/<area>/api/<name>`, or `jobs/<name>` there.
 * Throws an Error if there is none.
 */
export const folderOf = ({ area, name }: Named, root: string = projectRoot): string => {
  const shelves = readdirSync(join(root, 'functions')).map((shelf) => posix.join('functions', shelf, area));
  const folder = [
    ...shelves.flatMap((shelf) => [posix.join(shelf, 'api', name), posix.join(shelf, 'jobs', name)]),
    ...(area === sharedJobs ? [posix.join('functions', sharedJobs, name)] : []),
  ].find((one) => existsSync(join(root, one)));
  if (folder === undefined) throw new Error(`functions/*/${area} has neither api/${name} nor jobs/${name}`);
  return folder;
};

/** The file that exports the handler of an operation or a worker, relative to the project. Throws an Error if it has no folder. */
export const entryOf = (named: Named, root?: string): string => posix.join(folderOf(named, root), 'handler.ts');

const pathOfKind = {
  'operation.ts': /^[\w-]+\/(?<area>[\w-]+)\/api\/(?<name>[\w-]+)\/operation\.ts$/,
  'worker.ts': /^(?:[\w-]+\/(?<area>[\w-]+)\/)?jobs\/(?<name>[\w-]+)\/worker\.ts$/,
} as const;

/** The files of a kind, relative to `functions/`, with what their places say of them, in order. */
export const declarationFiles = (kind: keyof typeof pathOfKind): (Named & { path: string })[] =>
  readdirSync(join(projectRoot, 'functions'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .flatMap((path) => {
      const { area = sharedJobs, name } = pathOfKind[kind].exec(path)?.groups ?? {};
      return name === undefined ? [] : [{ area, name, path }];
    })
    .sort((one, other) => (posix.join(one.area, one.name) < posix.join(other.area, other.name) ? -1 : 1));

/** The fields that every declaration has. */
const needed = {
  'operation.ts': ['summary', 'description', 'method', 'path', 'auth', 'reply', 'errors', 'grants'],
  'worker.ts': ['summary', 'on', 'grants'],
} as const;

/** The fields that a declaration in such a file lacks. */
export const fieldsMissing = (kind: keyof typeof needed, declared: object): string[] =>
  needed[kind].filter((field) => !(field in declared));

const isNamed = (value: unknown): value is Named =>
  typeof value === 'object' && value !== null && 'area' in value && 'name' in value && 'summary' in value;

/**
 * The declarations in all files of a kind. Each file exports the one that its folders name. Throws an Error naming a file that does not,
 * or what its declaration lacks.
 */
export const declarationsIn = (kind: keyof typeof needed): Promise<readonly unknown[]> =>
  Promise.all(
    declarationFiles(kind).map(async ({ area, name, path }) => {
      const exported: Record<string, unknown> = await import(pathToFileURL(join(projectRoot, 'functions', path)).href);
      const found = Object.values(exported)
        .filter(isNamed)
        .find((one) => one.area === area && one.name === name);
      if (found === undefined)
        throw new Error(`functions/${path} exports nothing with area '${area}' and name '${name}'`);
      const missing = fieldsMissing(kind, found);
      if (missing.length > 0) throw new Error(`functions/${path} does not declare ${missing.join(', ')}`);
      return found;
    }),
  );
