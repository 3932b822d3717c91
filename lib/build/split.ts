import { basename, join } from 'node:path';
import { type BuildOptions, build, type Metafile, type OutputFile, transform } from 'esbuild';

/** What esbuild makes of one function: its files and where their contents come from. */
export type Built = { files: { name: string; contents: string; map: string }[]; metafile: Metafile };

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

/** Whether code of ours in an output imports other code of ours only when it wants it. */
export const importsLazily = ({ inputs }: Outputs[string], metafile: Metafile): boolean =>
  Object.entries(inputs).some(
    ([path, { bytesInOutput }]) =>
      bytesInOutput > 0 &&
      path.startsWith('functions/') &&
      metafile.inputs[path]?.imports.some(({ kind, external }) => kind === 'dynamic-import' && !external),
  );

/**
 * Builds one function with a file of its own for whatever is imported lazily, so that a cold start reads and compiles what it
 * uses: in one file, esbuild wraps each module that is also imported lazily, and V8 goes over it twice. esbuild splits ES modules
 * only, so each file is made CommonJS afterwards.
 */
export const buildSplit = async (entry: string, options: BuildOptions): Promise<Built> => {
  const { outputFiles = [], metafile } = await build({
    ...options,
    entryPoints: [{ in: entry, out: 'index' }],
    // Names of chunks depend on it; nothing is written there.
    outdir: join(options.absWorkingDir ?? '', 'dist', 'split'),
    write: false,
    metafile: true,
    format: 'esm',
    splitting: true,
    sourcemap: 'inline',
  });
  // esbuild also gives what the SDK's own lazy imports would lead to, were they not left out of the code.
  const outputs = reachableFrom(entry, metafile?.outputs ?? {});
  const names = new Set(Object.keys(outputs).map((path) => basename(path)));
  const files = outputFiles.filter(({ path }) => names.has(basename(path))).map(toCommonJs);
  return { files: await Promise.all(files), metafile: { inputs: metafile?.inputs ?? {}, outputs } };
};

const toCommonJs = async ({ path, text }: OutputFile) => {
  const { code, map } = await transform(text, {
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    // Lazy imports become calls of `require`: those of ES modules would start the loader of ES modules first.
    supported: { 'dynamic-import': false },
    minify: true,
    legalComments: 'none',
    sourcemap: 'external',
    sourcesContent: false,
    charset: 'utf8',
    logLevel: 'silent',
  });
  return { name: basename(path), contents: code, map };
};
