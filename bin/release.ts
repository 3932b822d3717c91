import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { iso, nowIso } from '#core/kernel/clock.ts';
import { releaseNotes, releaseUnreleased, whyNotNext } from '#lib/build/release-notes.ts';
import { jsonOption, printJson } from '#lib/local/command.ts';
import { buildClient } from '#lib/openapi/client-package.ts';
import { buildPhpClient } from '#lib/openapi/php-package.ts';
import { buildPythonClient } from '#lib/openapi/python-package.ts';

/** Makes everything that a release consists of: source archive, client packages, documentation, bill of materials, checksums and notes. */

const help = `npm run release -- [--version 1.2.3] [--out folder] [--tag v1.2.3]

  --version  Version to release: its number, the changelog and the API document are changed and committed first, unless package.json
             has that version already. A version that docs/releases.json names is refused
  --out   Folder to write to (default: dist/release)
  --tag   Tag of the release; the command fails unless it is the version in package.json
  --json  Print {"version", "folder", "sums"} instead of the checksums
`;

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'dist/release' },
    tag: { type: 'string' },
    version: { type: 'string' },
    ...jsonOption,
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(help);
  process.exit(0);
}

const fail = (words: string): never => {
  process.stderr.write(`${words}\n`);
  process.exit(1);
};
const run = (program: string, args: readonly string[], cwd = process.cwd(), env = process.env): string =>
  execFileSync(program, args, { cwd, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
const readVersion = async (): Promise<string> => JSON.parse(await readFile('package.json', 'utf8')).version;

/** Changes the number wherever it is stated, and commits that. */
const beginRelease = async (next: string): Promise<void> => {
  const current = await readVersion();
  const problem = whyNotNext(next, current, JSON.parse(await readFile('docs/releases.json', 'utf8')));
  if (problem !== undefined) fail(problem);
  if (next === current) return;
  if (run('git', ['status', '--porcelain', '--untracked-files=no']) !== '') fail('Commit your changes first.');
  const changelog = releaseUnreleased(await readFile('CHANGELOG.md', 'utf8'), next, nowIso().slice(0, 10));
  await writeFile('CHANGELOG.md', changelog);
  const readme = await readFile('README.md', 'utf8');
  await writeFile('README.md', readme.replace(`Version ${current}.`, `Version ${next}.`));
  run('npm', ['version', next, '--no-git-tag-version', '--silent']);
  run(process.execPath, ['bin/openapi.ts']);
  run('git', ['commit', '--quiet', '--all', '--message', `Release ${next}`]);
};

if (values.version !== undefined) await beginRelease(values.version);
const version = await readVersion();
if (values.tag !== undefined && values.tag !== `v${version}`) {
  fail(`The tag is ${values.tag}, but package.json has version ${version}.`);
}

const out = resolve(values.out);
const files = join(out, 'files');
await rm(out, { recursive: true, force: true });
await mkdir(files, { recursive: true });

/** The same commit gives the same bytes: archives have its time, and no owner, mode or order of this machine. */
const [commit = '', seconds = '0'] = run('git', ['log', '-1', '--format=%H %ct']).trim().split(' ');
const alike = ['--sort=name', `--mtime=@${seconds}`, '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
const archive = (name: string, folder: string) =>
  run('tar', [...alike, '-czf', join(files, `${name}-${version}.tar.gz`), '-C', folder, '.']);

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
const bill = JSON.parse(run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev']));
bill.serialNumber = `urn:uuid:${commit.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')}`;
bill.metadata.timestamp = iso(Number(seconds) * 1000);
await writeFile(join(files, `forewarn-${version}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
const sums = run('sh', ['-c', 'sha256sum -- *'], files);
await writeFile(join(files, 'SHA256SUMS'), sums);
if (values.json) {
  const lines = sums.trimEnd().split('\n');
  const pairs = lines.map((line) => line.split(/ [ *]/, 2)).map(([sha256, name]) => [name, sha256]);
  printJson({ version, folder: out, sums: Object.fromEntries(pairs) });
} else {
  process.stdout.write(sums);
  process.stdout.write(`\nAdd to docs/releases.json: "${version}": "${commit}"\n`);
}
