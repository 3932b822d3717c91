import { readFile, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { BuiltFunction, Bundle, Flavour } from '#lib/build/bundle.ts';
import { errorText, UserError } from '../user-error.ts';
import type { Declared } from './declared-functions.ts';
import type { Digests } from './digests.ts';
import { createVersions, type Version, type Versions } from './versions.ts';

/** The functions' code, each built when it is first wanted. Functions are called `area/name` here. */
export type FunctionCode = {
  /** The folder with a function's code. Throws UserError naming file and line of what does not build. */
  folderOf(name: string): Promise<string>;
  /** Returns the content of a function's code. */
  bundleOf(name: string): Promise<Bundle>;
  /** Builds what is not there, some at a time. Returns how many were built. */
  prepare(names: readonly string[], portion?: number): Promise<number>;
  /** Those that were asked for and would be built otherwise now. */
  listChanged(): string[];
};

/** In one pass esbuild reads the packages once; but a call that waits for one function should not wait for all. */
const usualPortion = 12;

export const createFunctionCode = (
  declared: readonly Declared[],
  digests: Digests,
  flavour: Flavour = 'deployed',
): FunctionCode => {
  const shelves = new Map(declared.map((one) => [fullName(one), codeShelf(one, digests, flavour)]));
  const shelf = (name: string): Shelf => {
    const found = shelves.get(name);
    if (!found) throw new UserError(`There is no function ${name}.`);
    return found;
  };
  const build = createBatches((wanted) => buildAll(wanted, digests.root, flavour));
  const versionOf = async (name: string): Promise<Version> => {
    const own = shelf(name);
    if (own.version === undefined || !own.versions.isCurrent(own.version)) own.version = own.versions.find();
    own.version ??= await build(own);
    return own.version;
  };
  return {
    folderOf: async (name) => (await versionOf(name)).folder,
    bundleOf: async (name) => {
      const { folder, note } = await versionOf(name);
      // As `buildAll` recorded it next to the code.
      return { ...(note as Bundle), dir: folder };
    },
    prepare: async (names, portion = usualPortion) => {
      const missing = names.filter((name) => !shelf(name).versions.find());
      for (let start = 0; start < missing.length; start += portion) {
        await Promise.all(missing.slice(start, start + portion).map(versionOf));
      }
      return missing.length;
    },
    listChanged: () => [...shelves].filter(([, one]) => isChanged(one)).map(([name]) => name),
  };
};

/** Where the builds of one function are. */
type Shelf = { one: Declared; versions: Versions; version: Version | undefined };

const codeShelf = (one: Declared, digests: Digests, flavour: Flavour): Shelf => {
  const words = [flavour, JSON.stringify([one.assets ?? {}, one.app ?? null])];
  const home = join(digests.root, 'dist', 'local', 'functions', one.area, one.name);
  return { one, versions: createVersions(home, digests, ...words), version: undefined };
};

const fullName = ({ area, name }: Declared): string => `${area}/${name}`;

const isChanged = ({ versions, version }: Shelf): boolean => version !== undefined && !versions.isCurrent(version);

/** Requests of the same time are built in one pass, and nothing twice. */
const createBatches = (make: (shelves: readonly Shelf[]) => Promise<readonly Promise<Version>[]>) => {
  const pending = new Map<Shelf, Promise<Version>>();
  let gathering: { shelves: Shelf[]; made: ReturnType<typeof make> } | undefined;
  const gather = () => {
    const shelves: Shelf[] = [];
    const made = nextTurn().then(() => {
      gathering = undefined;
      return make(shelves);
    });
    return { shelves, made };
  };
  return (shelf: Shelf): Promise<Version> => {
    const known = pending.get(shelf);
    if (known) return known;
    gathering ??= gather();
    const { shelves, made } = gathering;
    const place = shelves.push(shelf) - 1;
    const building = made
      .then((versions) => versions[place] ?? Promise.reject(new Error(`${fullName(shelf.one)} was not built`)))
      .finally(() => pending.delete(shelf));
    pending.set(shelf, building);
    return building;
  };
};

/** Builds functions in one pass; if that fails, each alone, so that one's mistake does not keep another from being built. */
const buildAll = async (
  shelves: readonly Shelf[],
  root: string,
  flavour: Flavour,
): Promise<readonly Promise<Version>[]> => {
  // Loaded when something has to be built: most starts find everything built.
  const { buildFunctions, sourcesUsedBy, writeFunction } = await import('#lib/build/bundle.ts');
  const keep = ({ versions }: Shelf, built: BuiltFunction): Promise<Version> =>
    versions.add(async (folder) => {
      const note = await writeFunction(folder, root, built);
      if (flavour === 'readable') await linkMaps(folder, root, note);
      return { note, sources: sourcesUsedBy(built).filter(isOurs) };
    });
  try {
    const declared = shelves.map(({ one }) => one);
    // Debuggers alone ask for maps here.
    const built = await buildFunctions(declared, root, { flavour, hasMaps: flavour === 'readable' });
    return shelves.flatMap((shelf, index) => {
      const own = built[index];
      return own ? [keep(shelf, own)] : [];
    });
  } catch (error) {
    if (shelves.length === 1) throw new UserError(buildFault(error), { cause: error });
    return shelves.map(async (shelf) => {
      const [version] = await buildAll([shelf], root, flavour);
      return version ?? Promise.reject(new Error(`${fullName(shelf.one)} was not built`));
    });
  }
};

/** The lock file stands for the packages; what our own build puts in their place is among its tools. */
const isOurs = (path: string): boolean => !/(^|\/)node_modules\/|^[\w-]+:/.test(path);

/** Tells debuggers where the map is, and in the map where the sources are. */
const linkMaps = async (folder: string, root: string, { files }: Bundle): Promise<void> => {
  for (const name of files) {
    const mapFile = name === 'index.js' ? `${folder}.js.map` : `${folder}.${name}.map`;
    const map: { sources: string[] } = JSON.parse(await readFile(mapFile, 'utf8'));
    const from = join(root, 'dist', 'functions', 'area', 'name');
    const sources = map.sources.map((path) => pathToFileURL(resolve(from, path)).href);
    await writeFile(mapFile, JSON.stringify({ ...map, sources }));
    const code = join(folder, name);
    await writeFile(code, `${await readFile(code, 'utf8')}\n//# sourceMappingURL=../${basename(mapFile)}\n`);
  }
};

type Failure = { errors: readonly { text: string; location: { file: string; line: number; column: number } | null }[] };
const isFailure = (error: unknown): error is Failure =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors);

/** esbuild's first message, with the place as editors take it. */
const buildFault = (error: unknown): string => {
  const [first] = isFailure(error) ? error.errors : [];
  if (!first) return errorText(error);
  const { text, location } = first;
  return location ? `${location.file}:${location.line}:${location.column + 1}: ${text}` : text;
};
