import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { entryOf } from '../../functions/core/operation.ts';
import { leanSdk } from './lean-sdk.ts';
import { pureCalls } from './pure-calls.ts';

/** What names a function, see `entryOf`; and the files that go beside its code, by their names there. */
export type Named = { area: string; name: string; assets?: Readonly<Record<string, string>> | undefined };

/** A function's code as it is deployed: `index.js`, CommonJS, exporting `handler`. */
export type Bundle = {
  /** The folder that becomes the function's code. */
  dir: string;
  bytes: number;
  /** The size of the archive that Lambda gets. */
  zippedBytes: number;
  /** The modules of Node it asks for, without `node:`. */
  builtins: readonly string[];
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
 * Builds every function in one pass: `<outdir>/<area>/<name>/index.js`, with its source map beside the folders and not in
 * them. The same sources give the same bytes. `root` is where `functions/` lies. Rejects with esbuild's messages.
 */
export const bundle = async ({ functions, root = process.cwd(), ...to }: BundleRequest): Promise<Bundles> => {
  const outdir = resolve(root, to.outdir);
  await rm(outdir, { recursive: true, force: true });
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: functions.map((one) => ({ in: entryOf(one), out: join(bundleName(one), 'index') })),
    outdir,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    target: 'node24',
    // An ES module that imports a built-in reads all its exports, and `node:http` then loads undici; `require` does not.
    format: 'cjs',
    mainFields: ['module', 'main'],
    conditions: ['module'],
    minify: true,
    keepNames: false,
    legalComments: 'none',
    sourcemap: 'external',
    sourcesContent: false,
    charset: 'utf8',
    logLevel: 'silent',
    // In CommonJS a module learns where it lies by another name.
    define: { 'import.meta.dirname': '__dirname' },
    plugins: [leanSdk, pureCalls],
  });
  await Promise.all(outputFiles.map(({ path, contents }) => write(placeOf(path), contents)));
  await Promise.all(functions.map((one) => write(join(outdir, bundleName(one), 'package.json'), commonJs)));
  await Promise.all(functions.map((one) => copyAssets(root, join(outdir, bundleName(one)), one)));
  await write(join(outdir, 'metafile.json'), JSON.stringify(metafile));
  return { bundles: await describe(outdir, functions, metafile), metafile };
};

const copyAssets = (root: string, dir: string, { assets = {} }: Named) =>
  Promise.all(Object.entries(assets).map(([name, from]) => copyFile(resolve(root, from), join(dir, name))));

/** Tells Node that the code is CommonJS, wherever the folder lies. */
const commonJs = '{"type":"commonjs"}\n';

/** `…/index.js` stays where it is; its map goes beside the folder, so that it is not shipped. */
const placeOf = (path: string): string => path.replace(/[\\/]index\.js\.map$/, '.js.map');

const write = async (path: string, contents: string | Uint8Array): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, contents);
};

const describe = async (outdir: string, functions: readonly Named[], metafile: Metafile) => {
  const importsOf = new Map(
    Object.entries(metafile.outputs).flatMap(([, { entryPoint, imports }]) =>
      entryPoint ? [[entryPoint, imports] as const] : [],
    ),
  );
  const entries = functions.map(async (one) => {
    const dir = join(outdir, bundleName(one));
    const code = await readFile(join(dir, 'index.js'));
    const asked = (importsOf.get(entryOf(one)) ?? []).flatMap(({ path }) =>
      isBuiltin(path) ? [withoutPrefix(path)] : [],
    );
    const builtins = [...new Set(asked)].sort();
    return [bundleName(one), { dir, bytes: code.length, zippedBytes: zippedBytes(code), builtins }] as const;
  });
  return new Map<string, Bundle>(await Promise.all(entries));
};

const withoutPrefix = (path: string): string => path.replace(/^node:/, '');

/** The code and `package.json`, each with a local header and a central record, and the archive's end. */
const zippedBytes = (code: Uint8Array): number => {
  const files = [
    ['index.js', code],
    ['package.json', Buffer.from(commonJs)],
  ] as const;
  const sizes = files.map(([name, data]) => deflateRawSync(data, { level: 9 }).length + 30 + 46 + 2 * name.length);
  return sizes.reduce((sum, size) => sum + size, 22);
};
