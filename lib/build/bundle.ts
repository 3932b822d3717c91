import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { entryOf } from '../../functions/core/operation.ts';
import { buildBrowserApp, writeBrowserApp } from './browser-app.ts';
import { leanSdk } from './lean-sdk.ts';
import { type Built, buildSplit, importsLazily, reachableFrom } from './split.ts';

/** What names a function, see `entryOf`; and what goes beside its code: files by their names there, an app for browsers. */
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
  /** `index.js`, and beside it one for each part that is loaded when it is first wanted, with what those share. */
  files: readonly string[];
  /** Of all files. */
  bytes: number;
  /** The size of the archive that Lambda gets. */
  zippedBytes: number;
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

const options = (root: string): BuildOptions => ({
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  conditions: ['module'],
  minify: true,
  keepNames: false,
  legalComments: 'none',
  sourcesContent: false,
  charset: 'utf8',
  logLevel: 'silent',
  // In CommonJS a module learns where it lies by another name.
  define: { 'import.meta.dirname': '__dirname' },
  plugins: [leanSdk],
});

/**
 * Builds every function: `<outdir>/<area>/<name>/index.js`, with its source map beside the folders and not in them. All in one
 * pass, and once more, split, those that import some of their code lazily. The same sources give the same bytes. `root` is
 * where `functions/` lies. Rejects with esbuild's messages.
 */
export const bundle = async ({ functions, root = process.cwd(), ...to }: BundleRequest): Promise<Bundles> => {
  const outdir = resolve(root, to.outdir);
  await rm(outdir, { recursive: true, force: true });
  const whole = await buildWhole(functions, root, outdir);
  const built = await Promise.all(
    functions.map(async (one) => {
      const found = builtOf(whole, one, root);
      const isLazy = Object.values(found.metafile.outputs).some((output) => importsLazily(output, found.metafile));
      return [one, isLazy ? await buildSplit(entryOf(one), options(root)) : found] as const;
    }),
  );
  await Promise.all(built.map(([one, { files }]) => writeFunction(outdir, root, one, files)));
  await writeApps(outdir, root, functions);
  const metafile = {
    inputs: Object.assign({}, ...built.map(([, one]) => one.metafile.inputs)),
    outputs: Object.fromEntries(
      built.flatMap(
        ([
          one,
          {
            metafile: { outputs },
          },
        ]) => placed(one, outputs),
      ),
    ),
  };
  await write(join(outdir, 'metafile.json'), JSON.stringify(metafile));
  return { bundles: new Map(built.map(([one, made]) => [bundleName(one), describe(outdir, one, made)])), metafile };
};

/** All functions in one file each. */
const buildWhole = async (functions: readonly Named[], root: string, outdir: string) => {
  const { outputFiles, metafile } = await build({
    ...options(root),
    entryPoints: functions.map((one) => ({ in: entryOf(one), out: join(bundleName(one), 'index') })),
    outdir,
    write: false,
    metafile: true,
    // An ES module that imports a built-in reads all its exports, and `node:http` then loads undici; `require` does not.
    format: 'cjs',
    sourcemap: 'external',
  });
  return { files: new Map(outputFiles.map(({ path, text }) => [path, text])), metafile };
};

/** What of a build of all functions is one function's. */
const builtOf = ({ files, metafile }: Awaited<ReturnType<typeof buildWhole>>, one: Named, root: string): Built => {
  const outputs = reachableFrom(entryOf(one), metafile.outputs);
  const [path = ''] = Object.keys(outputs).map((name) => resolve(root, name));
  const file = { name: basename(path), contents: files.get(path) ?? '', map: files.get(`${path}.map`) ?? '' };
  return { files: [file], metafile: { inputs: metafile.inputs, outputs } };
};

/** The outputs of a function under the names that they have in its folder. */
const placed = (one: Named, outputs: Metafile['outputs']) =>
  Object.entries(outputs).map(([path, output]) => [join(bundleName(one), basename(path)), output] as const);

/** Maps go beside the folder, so that they are not shipped. */
const writeFunction = async (outdir: string, root: string, one: Named, files: Built['files']): Promise<void> => {
  const dir = join(outdir, bundleName(one));
  const mapOf = (name: string) => (name === 'index.js' ? `${dir}.js.map` : `${dir}.${name}.map`);
  await Promise.all([
    ...files.flatMap(({ name, contents, map }) => [write(join(dir, name), contents), write(mapOf(name), map)]),
    write(join(dir, 'package.json'), commonJs),
  ]);
  await copyAssets(root, dir, one);
};

/** Each app is built once, however many functions serve it. */
const writeApps = async (outdir: string, root: string, functions: readonly Named[]): Promise<void> => {
  const served = functions.flatMap((one) =>
    one.app === undefined ? [] : [{ app: one.app, dir: join(outdir, bundleName(one)) }],
  );
  for (const [app, dirs] of Map.groupBy(served, (one) => one.app)) {
    const built = await buildBrowserApp(app, root);
    await Promise.all(dirs.map(({ dir }) => writeBrowserApp(built, dir)));
  }
};

const copyAssets = (root: string, dir: string, { assets = {} }: Named) =>
  Promise.all(Object.entries(assets).map(([name, from]) => copyFile(resolve(root, from), join(dir, name))));

/** Tells Node that the code is CommonJS, wherever the folder lies. */
const commonJs = '{"type":"commonjs"}\n';

const write = async (path: string, contents: string | Uint8Array): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, contents);
};

const describe = (outdir: string, one: Named, { files, metafile: { outputs } }: Built): Bundle => {
  const asked = Object.values(outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  const atOnce = reachableFrom(entryOf(one), withoutLazyImports(outputs));
  const later = Object.fromEntries(Object.entries(outputs).filter(([path]) => !Object.hasOwn(atOnce, path)));
  return {
    dir: join(outdir, bundleName(one)),
    files: files.map(({ name }) => name).sort(),
    bytes: files.reduce((sum, { contents }) => sum + Buffer.byteLength(contents), 0),
    zippedBytes: zippedBytes(files),
    builtins: [...new Set(asked.filter(isBuiltin).map(withoutPrefix))].sort(),
    modules: { atOnce: sourcesOf(atOnce), later: sourcesOf(later) },
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
const sourcesOf = (outputs: Metafile['outputs']): string[] => {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  return [...new Set(inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])))].sort();
};

const withoutPrefix = (path: string): string => path.replace(/^node:/, '');

/** The code and `package.json`, each with a local header and a central record, and the archive's end. */
const zippedBytes = (files: Built['files']): number => {
  const all = [...files, { name: 'package.json', contents: commonJs }];
  const sizes = all.map(
    ({ name, contents }) => deflateRawSync(contents, { level: 9 }).length + 30 + 46 + 2 * name.length,
  );
  return sizes.reduce((sum, size) => sum + size, 22);
};
