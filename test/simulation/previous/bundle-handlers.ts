import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** A module that exports every handler by its area and name, all workers' declarations, and what has state between histories. */
const entryOfHandlers = (root: string, more: readonly string[]): string => {
  const files = readdirSync(join(root, 'functions'), { recursive: true, encoding: 'utf8' });
  const handlers = files.filter((file) => file.endsWith('/handler.ts')).sort();
  const workers = files.filter((file) => file.endsWith('/worker.ts')).sort();
  const keyOf = (file: string): string => {
    const folders = file.split('/').slice(0, -1);
    return `${folders[0] === 'jobs' ? 'jobs' : folders[1]}/${folders.at(-1)}`;
  };
  return [
    ...handlers.map((file, index) => `import { handler as handler${index} } from './functions/${file}';`),
    ...workers.map((file, index) => `import * as worker${index} from './functions/${file}';`),
    `export const handlers = { ${handlers.map((file, index) => `'${keyOf(file)}': handler${index}`)} };`,
    `export const workers = [${workers.map((_, index) => `...Object.values(worker${index})`)}].filter((one) => one?.on);`,
    "export { newTimedId } from '#core/kernel/ids.ts';",
    "export { keyRing, secretText } from '#core/platform/secrets/secrets.ts';",
    "export { placeAssets, readAssetBytes } from '#core/platform/http/asset-store.ts';",
    ...more,
  ].join('\n');
};

/** Bundles all handlers below a folder into one module, without the packages that the simulated world replaces. `more`: other exports. */
export const bundleHandlers = async (root: string, more: readonly string[] = []): Promise<Uint8Array> => {
  const { outputFiles } = await build({
    stdin: { contents: entryOfHandlers(root, more), resolveDir: root, loader: 'ts' },
    absWorkingDir: root,
    bundle: true,
    write: false,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    mainFields: ['module', 'main'],
    conditions: ['module'],
    legalComments: 'none',
    charset: 'utf8',
    define: { 'import.meta.dirname': '"."' },
    // Packages in CommonJS ask for Node's modules by it.
    banner: {
      js: "import { createRequire as createRequireOfKept } from 'node:module'; const require = createRequireOfKept(import.meta.url);",
    },
    // The world replaces these in the process, for all that it plays.
    external: ['@aws-sdk/*', '@smithy/node-http-handler', 'undici'],
  });
  const [{ contents } = { contents: new Uint8Array() }] = outputFiles;
  return contents;
};
