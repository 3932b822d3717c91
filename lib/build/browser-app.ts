import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { shortKey } from '#lib/dashboard/language/text-key.ts';

/** A file of a browser app as it is served: under a name that changes with its content, and in two compressions. */
type AppFile = { name: string; contents: Uint8Array; gzipped: Uint8Array; brotli: Uint8Array };

export type BrowserApp = {
  /** The page, which loads the rest from the folder next to it. Its own name does not change. */
  html: string;
  files: readonly AppFile[];
  /** Files under lasting names: the worker that shows notifications, and the manifest. */
  lasting: readonly AppFile[];
  /** Names of the scripts that the page loads at once, the one it begins with first, and of those loaded when a screen first wants them. */
  scripts: { atOnce: readonly string[]; later: readonly string[] };
  /** Its sources, by paths in the project. */
  sources: readonly string[];
};

/** The folder of a function's app, next to its code. */
const appFolder = 'app';
/** The page's name there. */
const pageName = 'index.html';

const compress = { gzip: promisify(gzip), brotli: promisify(brotliCompress) };

/**
 * Builds an app of `lib/`: `app/main.tsx` with whatever it imports lazily in files of their own, and `app/styles.css` as one file. The page
 * finds them in a folder of its own name next to it. The same sources give the same bytes.
 */
export const buildBrowserApp = async (name: string, root: string): Promise<BrowserApp> => {
  const from = join('lib', name, 'app');
  const usual = {
    absWorkingDir: root,
    bundle: true,
    target: ['es2022', 'chrome123', 'firefox120', 'safari17.5'],
    minify: true,
    legalComments: 'none' as const,
    charset: 'utf8' as const,
    // Nothing is written there.
    outdir: join(root, 'dist', name),
    write: false as const,
    metafile: true as const,
    logLevel: 'silent' as const,
    plugins: [shortKeys],
  } satisfies BuildOptions;
  const [{ outputFiles, metafile }, worker] = await Promise.all([
    build({
      ...usual,
      entryPoints: [join(from, 'main.tsx'), join(from, 'styles.css')],
      splitting: true,
      format: 'esm',
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
    }),
    build({ ...usual, entryPoints: [join(from, 'push-worker.ts')], format: 'iife' }),
  ]);
  const contents = new Map(outputFiles.map((file) => [basename(file.path), file.contents]));
  const files = await Promise.all([...contents].sort().map(([file, bytes]) => packFile(file, bytes)));
  const scripts = listScripts(metafile, join(from, 'main.tsx'));
  const styles = files.find((file) => file.name.endsWith('.css'))?.name ?? '';
  const lasting = await Promise.all([
    ...worker.outputFiles.map(({ path, contents: bytes }) => packFile(basename(path), bytes)),
    packFile(manifestName, new TextEncoder().encode(manifest)),
  ]);
  const sources = [...Object.keys(metafile.inputs), ...Object.keys(worker.metafile.inputs)];
  return { html: toPage(name, scripts.atOnce, styles), files, lasting, scripts, sources };
};

/** Replaces the English texts in catalogues by short keys, which saves a browser a fifth of a language. */
const shortKeys: Plugin = {
  name: 'short-keys',
  setup: ({ onLoad }) =>
    onLoad({ filter: /catalogues\/\w+\.json$/ }, async ({ path }) => {
      const texts: Readonly<Record<string, unknown>> = JSON.parse(await readFile(path, 'utf8'));
      const contents = Object.fromEntries(Object.entries(texts).map(([text, words]) => [shortKey(text), words]));
      return { contents: `export default ${JSON.stringify(contents)}`, loader: 'js' };
    }),
};

const packFile = async (name: string, contents: Uint8Array): Promise<AppFile> => {
  const [gzipped, brotli] = await Promise.all([
    compress.gzip(contents, { level: 9 }),
    compress.brotli(contents, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: contents.length } }),
  ]);
  return { name, contents, gzipped, brotli };
};

/** The imports of `main.tsx` are loaded immediately, also where it does something else first; what any other file imports lazily is not. */
const listScripts = ({ outputs }: Metafile, entry: string): BrowserApp['scripts'] => {
  const names = Object.keys(outputs).filter((path) => path.endsWith('.js'));
  const first = names.find((path) => outputs[path]?.entryPoint === entry) ?? '';
  const atOnce: string[] = [];
  const visit = (path: string): void => {
    if (atOnce.includes(path)) return;
    atOnce.push(path);
    const imports = outputs[path]?.imports ?? [];
    for (const { path: next, kind } of imports) if (path === first || kind === 'import-statement') visit(next);
  };
  visit(first);
  return {
    atOnce: atOnce.map((path) => basename(path)),
    later: names.filter((path) => !atOnce.includes(path)).map((path) => basename(path)),
  };
};

/** The page itself contains no script and no style: its policy allows none. */
const toPage = (folder: string, [first = '', ...others]: readonly string[], styles: string): string => `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>Forewarn</title>
<link rel="icon" href="data:image/svg+xml,${icon}">
<link rel="manifest" href="${folder}/${manifestName}">
<link rel="stylesheet" href="${folder}/${styles}">
${others.map((file) => `<link rel="modulepreload" href="${folder}/${file}">\n`).join('')}<script type="module" src="${folder}/${first}"></script>
</head>
<body><noscript>This page needs JavaScript. Everything it does can also be done by the API: <a href="docs">its documentation</a>.</noscript></body>
</html>
`;

const icon = encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="#2353c5"><path d="M12 2 3.500 5.500V12c0 5 3.700 8.500 8.500 10 4.800-1.500 8.500-5 8.500-10V5.500z"/></svg>',
);

const manifestName = 'forewarn.webmanifest';

/** Lets people add the dashboard to a home screen, without which iPhones show no notifications. Addresses are relative to its own. */
const manifest = JSON.stringify({
  name: 'Forewarn',
  start_url: '../dashboard',
  scope: '../dashboard',
  display: 'standalone',
  icons: [{ src: `data:image/svg+xml,${icon}`, type: 'image/svg+xml', sizes: 'any' }],
});

/** Writes an app next to a function's code. */
export const writeBrowserApp = async ({ html, files, lasting }: BrowserApp, dir: string): Promise<void> => {
  const folder = join(dir, appFolder);
  await mkdir(folder, { recursive: true });
  await Promise.all([
    writeFile(join(folder, pageName), html),
    ...[...files, ...lasting].flatMap(({ name, contents, gzipped, brotli }) => [
      writeFile(join(folder, name), contents),
      writeFile(join(folder, `${name}.gz`), gzipped),
      writeFile(join(folder, `${name}.br`), brotli),
    ]),
  ]);
};
