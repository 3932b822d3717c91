import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { bundleHandlers } from './bundle-handlers.ts';
import { keptFile, recordFile } from './kept-handlers.ts';

/**
 * Keeps the handlers of a release, for the simulation to play them next to those of the next one. Takes them from the history, with the
 * packages that its lock file names. To be run after a release: `node test/simulation/previous/write-previous.ts --commit v1.0.0`
 */

const { values } = parseArgs({ options: { commit: { type: 'string' } } });
if (values.commit === undefined) throw new Error('--commit <tag or commit of the release> is missing');

const run = (program: string, args: readonly string[], cwd: string): string =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();

const root = mkdtempSync(join(tmpdir(), 'forewarn-previous-'));
try {
  const commit = run('git', ['rev-parse', `${values.commit}^{commit}`], process.cwd());
  run('sh', ['-c', `git -C '${process.cwd()}' archive ${commit} | tar -x -C '${root}'`], root);
  run('npm', ['ci', '--ignore-scripts', '--omit=dev', '--omit=optional', '--no-audit', '--no-fund'], root);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const contents = await bundleHandlers(root);
  const sha256 = createHash('sha256').update(contents).digest('hex');
  const command = `node test/simulation/previous/write-previous.ts --commit ${commit}`;
  writeFileSync(keptFile, brotliCompressSync(contents));
  writeFileSync(recordFile, `${JSON.stringify({ version, commit, sha256, command }, undefined, 2)}\n`);
} finally {
  rmSync(root, { recursive: true, force: true });
}
