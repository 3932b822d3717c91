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
export const findFolder = ({ area, name }: Named, root: string = projectRoot): string => {
  const shelves = readdirSync(join(root, 'functions')).map((shelf) => posix.join('functions', shelf, area));
  const folder = [
    ...shelves.flatMap((shelf) => [posix.join(shelf, 'api', name), posix.join(shelf, 'jobs', name)]),
    ...(area === sharedJobs ? [posix.join('functions', sharedJobs, name)] : []),
  ].find((one) => existsSync(join(root, one)));
  if (folder === undefined) throw new Error(`functions/*/${area} has neither api/${name} nor jobs/${name}`);
  return folder;
};

/** The file that exports the handler of an operation or a worker, relative to the project. Throws an Error if it has no folder. */
export const handlerFile = (named: Named, root?: string): string => posix.join(findFolder(named, root), 'handler.ts');

const folderOfKind = { 'operation.ts': 'api', 'worker.ts': 'jobs' } as const;

const foldersIn = (path: string): string[] => {
  const folder = join(projectRoot, 'functions', path);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []));
};

/** The files of a kind, relative to `functions/`, with what their places say of them, in order. */
export const declarationFiles = (kind: keyof typeof folderOfKind): (Named & { path: string })[] => {
  const areas = foldersIn('').flatMap((shelf) =>
    foldersIn(shelf).map((area) => ({ area, folder: posix.join(shelf, area) })),
  );
  const homes = areas.map(({ area, folder }) => ({ area, folder: posix.join(folder, folderOfKind[kind]) }));
  if (kind === 'worker.ts') homes.push({ area: sharedJobs, folder: sharedJobs });
  return homes
    .flatMap(({ area, folder }) =>
      foldersIn(folder).map((name) => ({ area, name, path: posix.join(folder, name, kind) })),
    )
    .filter(({ path }) => existsSync(join(projectRoot, 'functions', path)))
    .sort((one, other) => (posix.join(one.area, one.name) < posix.join(other.area, other.name) ? -1 : 1));
};

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
