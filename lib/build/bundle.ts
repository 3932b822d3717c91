import { readFileSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { handlerFile } from '#functions/declaration-files.ts';
import { type BrowserApp, buildBrowserApp, writeBrowserApp } from './browser-app.ts';
import { leanSdk } from './lean-sdk.ts';
import { linkedPackages } from './linked-packages.ts';
import { type Built, buildSplit, importsLazily, reachableFrom } from './split.ts';
import { withoutDescriptions } from './without-descriptions.ts';

/** The name of a function, see `entryOf`; and the files that go with its code, by their names there, and an app for browsers. */
export type Named = {
  area: string;
  name: string;
  assets?: Readonly<Record<string, string>> | undefined;
  app?: string | undefined;
};

/** A function's code as it is deployed: `index.js`, CommonJS, exporting `handler`. */
export type Bundle = {
  /** The folder that becomes the function's code. */
  dir: string;
  /** `index.js`, and one file for each part that is loaded lazily, with what those share. */
  files: readonly string[];
  /** Of all files. */
  bytes: number;
  /** The modules of Node it asks for, without `node:`. */
  builtins: readonly string[];
  /** The sources that left code in `index.js` and what that loads at once; and those in what is loaded later. */
  modules: { atOnce: readonly string[]; later: readonly string[] };
};

export type Bundles = {
  /** By `<area>/<name>`. */
  bundles: ReadonlyMap<string, Bundle>;
  metafile: Metafile;
};

export type BundleRequest = { outdir: string; functions: readonly Named[]; root?: string };

/** The name under which a function's bundle, sample and log lines are found. */
export const bundleName = ({ area, name }: Named): string => `${area}/${name}`;

/**
 * `deployed`: as Lambda gets it. `readable`: names and lines as they were written, for a debugger. `linked`: for tests that run many
 * functions in one process, which loads the packages that all have once.
 */
export type Flavour = 'deployed' | 'readable' | 'linked';

const options = (root: string, flavour: Flavour): BuildOptions => ({
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  conditions: ['module'],
  minify: flavour !== 'readable',
  keepNames: false,
  legalComments: 'none',
  sourcesContent: false,
  charset: 'utf8',
  logLevel: 'silent',
  // A CommonJS module gets its own folder by another name.
  define: { 'import.meta.dirname': '__dirname' },
  plugins: { linked: [linkedPackages, leanSdk], readable: [leanSdk], deployed: [withoutDescriptions, leanSdk] }[
    flavour
  ],
});

/**
 * Builds every function: `<outdir>/<area>/<name>/index.js`, with its source map next to the folders and not in them. The same sources give
 * the same bytes, whatever else is built with them. `root` is the folder of `functions/`. Rejects with esbuild's messages.
 */
export const bundle = async ({ functions, root = process.cwd(), ...to }: BundleRequest): Promise<Bundles> => {
  const outdir = resolve(root, to.outdir);
  await rm(outdir, { recursive: true, force: true });
  const built = await buildFunctions(functions, root, { flavour: 'deployed', hasMaps: true });
  const made = await Promise.all(
    built.map(async (one) => [bundleName(one), await writeFunction(join(outdir, bundleName(one)), root, one)] as const),
  );
  const metafile = {
    inputs: Object.assign({}, ...built.map((one) => one.metafile.inputs)),
    outputs: Object.fromEntries(built.flatMap((one) => placeOutputs(one, one.metafile.outputs))),
  };
  await write(join(outdir, 'metafile.json'), JSON.stringify(metafile));
  return { bundles: new Map(made), metafile };
};

/** A built function, with the files that go with its code. */
export type BuiltFunction = Named & Built & { entry: string; servedApp: BrowserApp | undefined };

/** `hasMaps`: with a source map of each file, at a fifth more work. */
export type BuildKind = { flavour: Flavour; hasMaps: boolean };

/**
 * Builds functions in memory: in one pass, but those that import some of their code lazily, which are split. Rejects with
 * esbuild's messages.
 */
export const buildFunctions = async (
  functions: readonly Named[],
  root: string,
  { flavour, hasMaps }: BuildKind,
): Promise<BuiltFunction[]> => {
  const how = options(root, flavour);
  const lazy = flavour === 'deployed' ? await lazyOnes(functions, how) : [];
  const whole = functions.filter((one) => !lazy.includes(one));
  const [wholes, splits, apps] = await Promise.all([
    buildWhole(whole, how, hasMaps),
    buildSplit(
      lazy.map((one) => handlerFile(one, root)),
      how,
      hasMaps,
    ),
    buildApps(functions, root),
  ]);
  return functions.map((one) => {
    const built = splits[lazy.indexOf(one)] ?? toBuilt(wholes, one, root);
    return {
      ...one,
      ...built,
      entry: handlerFile(one, root),
      servedApp: one.app === undefined ? undefined : apps.get(one.app),
    };
  });
};

/** Those that import some of our code only when they want it. A look at our own code tells, without that of the packages. */
const lazyOnes = async (functions: readonly Named[], how: BuildOptions): Promise<readonly Named[]> => {
  const { metafile } = await build({
    ...how,
    packages: 'external',
    entryPoints: entryPoints(functions, how.absWorkingDir),
    outdir: nowhere(how),
    write: false,
    metafile: true,
    format: 'cjs',
  });
  const isLazy = (one: Named) =>
    Object.values(reachableFrom(handlerFile(one, how.absWorkingDir), metafile.outputs)).some((output) =>
      importsLazily(output, metafile),
    );
  return functions.filter(isLazy);
};

const entryPoints = (functions: readonly Named[], root: string | undefined) =>
  functions.map((one) => ({ in: handlerFile(one, root), out: join(bundleName(one), 'index') }));

/** Source maps tell paths from there; nothing is written there. */
const nowhere = ({ absWorkingDir = '' }: BuildOptions): string => join(absWorkingDir, 'dist', 'functions');

/** Functions in one file each. */
const buildWhole = async (functions: readonly Named[], how: BuildOptions, hasMaps: boolean) => {
  if (functions.length === 0) return { files: new Map<string, string>(), metafile: { inputs: {}, outputs: {} } };
  const { outputFiles, metafile } = await build({
    ...how,
    entryPoints: entryPoints(functions, how.absWorkingDir),
    outdir: nowhere(how),
    write: false,
    metafile: true,
    // An ES module that imports a built-in reads all its exports, and `node:http` then loads undici; `require` does not.
    format: 'cjs',
    // Otherwise the first `import()` of a built-in starts Node's loader of ES modules.
    supported: { 'dynamic-import': false },
    sourcemap: hasMaps && 'external',
  });
  return { files: new Map(outputFiles.map(({ path, text }) => [path, text])), metafile };
};

/** Each app is built once, however many functions serve it. */
const buildApps = async (functions: readonly Named[], root: string): Promise<ReadonlyMap<string, BrowserApp>> => {
  const names = new Set(functions.flatMap(({ app }) => (app === undefined ? [] : [app])));
  return new Map(await Promise.all([...names].map(async (name) => [name, await buildBrowserApp(name, root)] as const)));
};

/** Returns one function's part of a build of several. */
const toBuilt = ({ files, metafile }: Awaited<ReturnType<typeof buildWhole>>, one: Named, root: string): Built => {
  const outputs = reachableFrom(handlerFile(one, root), metafile.outputs);
  const [path = ''] = Object.keys(outputs).map((name) => resolve(root, name));
  const file = { name: basename(path), contents: files.get(path) ?? '', map: files.get(`${path}.map`) };
  return { files: [file], metafile: { inputs: metafile.inputs, outputs } };
};

/** Every source that a function was made from, packages included, by its path in the project. */
export const sourcesUsedBy = (one: BuiltFunction): string[] => {
  const { inputs } = one.metafile;
  const found = new Set<string>();
  const visit = (path: string): void => {
    if (found.has(path) || !inputs[path]) return;
    found.add(path);
    for (const { path: next } of inputs[path].imports) visit(next);
  };
  visit(one.entry);
  return [...found, ...Object.values(one.assets ?? {}), ...(one.servedApp?.sources ?? [])].sort();
};

/** The outputs of a function under the names that they have in its folder. */
const placeOutputs = (one: Named, outputs: Metafile['outputs']) =>
  Object.entries(outputs).map(([path, output]) => [join(bundleName(one), basename(path)), output] as const);

/** Writes a function's code to a folder. Its maps, if there are any, go next to the folder, so that they are not shipped. */
export const writeFunction = async (dir: string, root: string, one: BuiltFunction): Promise<Bundle> => {
  const mapOf = (name: string) => (name === 'index.js' ? `${dir}.js.map` : `${dir}.${name}.map`);
  await Promise.all([
    ...one.files.flatMap(({ name, contents, map }) => [
      write(join(dir, name), contents),
      ...(map === undefined ? [] : [write(mapOf(name), map)]),
    ]),
    write(join(dir, 'package.json'), commonJs),
  ]);
  await copyAssets(root, dir, one);
  if (one.servedApp) await writeBrowserApp(one.servedApp, dir);
  return describe(dir, one);
};

const copyAssets = (root: string, dir: string, { assets = {} }: Named) =>
  Promise.all(Object.entries(assets).map(([name, from]) => copyFile(resolve(root, from), join(dir, name))));

/** Tells Node that the code is CommonJS, wherever the folder lies. */
const commonJs = '{"type":"commonjs"}\n';

const write = async (path: string, contents: string | Uint8Array): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, contents);
};

const describe = (dir: string, one: BuiltFunction): Bundle => {
  const { outputs } = one.metafile;
  const asked = Object.values(outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  const atOnce = reachableFrom(one.entry, withoutLazyImports(outputs));
  const later = Object.fromEntries(Object.entries(outputs).filter(([path]) => !Object.hasOwn(atOnce, path)));
  return {
    dir,
    files: one.files.map(({ name }) => name).sort(),
    bytes: one.files.reduce((sum, { contents }) => sum + Buffer.byteLength(contents), 0),
    builtins: [...new Set(asked.filter(isBuiltin).map(withoutPrefix))].sort(),
    modules: { atOnce: listSources(atOnce), later: listSources(later) },
  };
};

const withoutLazyImports = (outputs: Metafile['outputs']): Metafile['outputs'] =>
  Object.fromEntries(
    Object.entries(outputs).map(([path, output]) => {
      const imports = output.imports.filter(({ kind }) => kind !== 'dynamic-import');
      return [path, { ...output, imports }];
    }),
  );

/** Those that left any code there. */
const listSources = (outputs: Metafile['outputs']): string[] => {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  return [...new Set(inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])))].sort();
};

const withoutPrefix = (path: string): string => path.replace(/^node:/, '');

/** The size of the archive that Lambda gets: code and `package.json`, each with its two headers, and the archive's end. */
export const zippedBytesOf = ({ dir, files }: Bundle): number => {
  const sizes = [...files, 'package.json'].map(
    (name) => deflateRawSync(readFileSync(join(dir, name)), { level: 9 }).length + 30 + 46 + 2 * name.length,
  );
  return sizes.reduce((sum, size) => sum + size, 22);
};
