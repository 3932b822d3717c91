import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { keptFile, recordFile } from './kept.ts';

/**
 * Keeps the handlers of a release, for the simulation to play them next to those of the next one. Takes them from the history, with the
 * packages that its lock file names. To be run after a release: `node test/simulation/previous/write-previous.ts --commit v1.0.0`
 */

const { values } = parseArgs({ options: { commit: { type: 'string' } } });
if (values.commit === undefined) throw new Error('--commit <tag or commit of the release> is missing');

const run = (program: string, args: readonly string[], cwd: string): string =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();

/** A module that exports every handler by its area and name, all workers' declarations, and what has state between histories. */
const entryOfHandlers = (root: string): string => {
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
  ].join('\n');
};

const root = mkdtempSync(join(tmpdir(), 'forewarn-previous-'));
try {
  const commit = run('git', ['rev-parse', `${values.commit}^{commit}`], process.cwd());
  run('sh', ['-c', `git -C '${process.cwd()}' archive ${commit} | tar -x -C '${root}'`], root);
  run('npm', ['ci', '--ignore-scripts', '--omit=dev', '--omit=optional', '--no-audit', '--no-fund'], root);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const { outputFiles } = await build({
    stdin: { contents: entryOfHandlers(root), resolveDir: root, loader: 'ts' },
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
    // The world replaces these in the process, for both releases.
    external: ['@aws-sdk/*', '@smithy/node-http-handler', 'undici'],
  });
  const [{ contents } = { contents: new Uint8Array() }] = outputFiles;
  const sha256 = createHash('sha256').update(contents).digest('hex');
  const command = `node test/simulation/previous/write-previous.ts --commit ${commit}`;
  writeFileSync(keptFile, brotliCompressSync(contents));
  writeFileSync(recordFile, `${JSON.stringify({ version, commit, sha256, command }, undefined, 2)}\n`);
} finally {
  rmSync(root, { recursive: true, force: true });
}
