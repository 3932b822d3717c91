import { basename, join, resolve } from 'node:path';
import {
  type BuildOptions,
  type BuildResult,
  context,
  type Metafile,
  type OutputFile,
  type Plugin,
  transform,
} from 'esbuild';

/** The output of esbuild for one function: its files, with their maps where they were requested, and the sources of their contents. */
export type Built = { files: { name: string; contents: string; map: string | undefined }[]; metafile: Metafile };

type Outputs = Metafile['outputs'];

/** The output of an entry point and all that it loads, at once or later. */
export const reachableFrom = (entry: string, outputs: Outputs): Outputs => {
  const found = new Map<string, Outputs[string]>();
  const visit = (path: string): void => {
    const output = outputs[path];
    if (!output || found.has(path)) return;
    found.set(path, output);
    for (const { path: next } of output.imports) visit(next);
  };
  for (const [path, { entryPoint }] of Object.entries(outputs)) if (entryPoint === entry) visit(path);
  return Object.fromEntries(found);
};

/** Checks whether an output's own code imports other own code lazily. */
export const importsLazily = ({ inputs }: Outputs[string], metafile: Metafile): boolean =>
  Object.entries(inputs).some(
    ([path, { bytesInOutput }]) =>
      bytesInOutput > 0 &&
      path.startsWith('functions/') &&
      metafile.inputs[path]?.imports.some(({ kind, external }) => kind === 'dynamic-import' && !external),
  );

/**
 * Builds functions with a file of its own for whatever is imported lazily, so that a cold start reads and compiles what it
 * uses: in one file, esbuild wraps each module that is also imported lazily, and V8 goes over it twice. One after the other in one
 * context, which parses what they share once; esbuild would put it in files that they share, were they built in one pass.
 */
export const buildSplit = async (entries: readonly string[], options: BuildOptions, hasMaps: boolean) => {
  if (entries.length === 0) return [];
  let current = '';
  const given: Plugin = {
    name: 'given-entry',
    setup: (setup) => setup.onResolve({ filter: /^given-entry$/ }, () => ({ path: resolve(root, current) })),
  };
  const root = options.absWorkingDir ?? '';
  const kept = await context({
    ...options,
    plugins: [given, ...(options.plugins ?? [])],
    entryPoints: [{ in: 'given-entry', out: 'index' }],
    // Names of chunks depend on it; nothing is written there.
    outdir: join(root, 'dist', 'split'),
    write: false,
    metafile: true,
    format: 'esm',
    splitting: true,
    // Names of chunks depend on that, too.
    sourcemap: 'inline',
  });
  try {
    const built: Built[] = [];
    for (current of entries) built.push(await toSplit(current, await kept.rebuild(), hasMaps));
    return built;
  } finally {
    await kept.dispose();
  }
};

const toSplit = async (
  entry: string,
  { outputFiles = [], metafile }: BuildResult,
  hasMaps: boolean,
): Promise<Built> => {
  // esbuild also gives what the SDK's own lazy imports would lead to, were they not left out of the code.
  const outputs = reachableFrom(entry, metafile?.outputs ?? {});
  const names = new Set(Object.keys(outputs).map((path) => basename(path)));
  const files = outputFiles.filter(({ path }) => names.has(basename(path))).map((file) => toCommonJs(file, hasMaps));
  return { files: await Promise.all(files), metafile: { inputs: metafile?.inputs ?? {}, outputs } };
};

/** esbuild splits ES modules only, so each file is made CommonJS afterwards. */
const toCommonJs = async ({ path, text }: OutputFile, hasMap: boolean) => {
  const { code, map } = await transform(text, {
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    // Lazy imports become calls of `require`: those of ES modules would start the loader of ES modules first.
    supported: { 'dynamic-import': false },
    minify: true,
    legalComments: 'none',
    sourcemap: hasMap && 'external',
    sourcesContent: false,
    charset: 'utf8',
    logLevel: 'silent',
  });
  return { name: basename(path), contents: code, map: hasMap ? map : undefined };
};
