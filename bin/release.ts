import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { releaseNotes } from '#lib/build/release-notes.ts';
import { jsonOption, printJson } from '#lib/local/command.ts';
import { buildClient } from '#lib/openapi/client-package.ts';
import { buildPhpClient } from '#lib/openapi/php-package.ts';
import { buildPythonClient } from '#lib/openapi/python-package.ts';

/** Makes everything that a release consists of: source archive, client packages, documentation, bill of materials, checksums and notes. */

const help = `npm run release -- [--out folder] [--tag v1.2.3]

  --out   Folder to write to (default: dist/release)
  --tag   Tag of the release; the command fails unless it is the version in package.json
  --json  Print {"version", "folder", "sums"} instead of the checksums
`;

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'dist/release' },
    tag: { type: 'string' },
    ...jsonOption,
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(help);
  process.exit(0);
}

const { version }: { version: string } = JSON.parse(await readFile('package.json', 'utf8'));
if (values.tag !== undefined && values.tag !== `v${version}`) {
  process.stderr.write(`The tag is ${values.tag}, but package.json has version ${version}.\n`);
  process.exit(1);
}

const out = resolve(values.out);
const files = join(out, 'files');
await rm(out, { recursive: true, force: true });
await mkdir(files, { recursive: true });

const run = (program: string, args: readonly string[], cwd = process.cwd()): string =>
  execFileSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
const archive = (name: string, folder: string) =>
  run('tar', ['-czf', join(files, `${name}-${version}.tar.gz`), '-C', folder, '.']);

await writeFile(join(out, 'notes.md'), releaseNotes(await readFile('CHANGELOG.md', 'utf8'), version));
run('git', [
  'archive',
  '--format=tar.gz',
  `--prefix=forewarn-${version}/`,
  '-o',
  join(files, `forewarn-${version}.tar.gz`),
  'HEAD',
]);
await buildClient(process.cwd(), join(out, 'client'));
run('npm', ['pack', '--silent', '--pack-destination', files], join(out, 'client'));
await buildPythonClient(process.cwd(), join(out, 'python'));
archive('forewarn-python', join(out, 'python'));
await buildPhpClient(process.cwd(), join(out, 'php'));
archive('forewarn-php', join(out, 'php'));
run(process.execPath, ['bin/docs.ts', '--out', join(out, 'docs')]);
archive('forewarn-docs', join(out, 'docs'));
await writeFile(
  join(files, `forewarn-${version}.cdx.json`),
  run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev']),
);
const sums = run('sh', ['-c', 'sha256sum -- *'], files);
await writeFile(join(files, 'SHA256SUMS'), sums);
if (values.json) {
  const lines = sums.trimEnd().split('\n');
  const pairs = lines.map((line) => line.split(/ [ *]/, 2)).map(([sha256, name]) => [name, sha256]);
  printJson({ version, folder: out, sums: Object.fromEntries(pairs) });
} else process.stdout.write(sums);
