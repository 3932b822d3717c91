import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildDeviceSnippet, buildSdk, deviceFolder, type Integrity, sdkFolder, withVersion } from '#lib/build/sdk.ts';
import { printJson } from '#lib/local/command.ts';

/**
 * `npm run sdk`: builds the 3-D Secure SDK into `lib/sdk/three-ds/released/`, and the device snippet, from where they are served. A version that merchants
 * have is not to change any more: raise it in `version.ts` first.
 */
const released = join(sdkFolder, 'released');
const readReleased = (name: string): Promise<string | undefined> =>
  readFile(join(released, name), 'utf8').catch(() => undefined);

const { version, files } = await buildSdk(process.cwd());
const before = await readReleased('integrity.json');
const known: Integrity | undefined = before === undefined ? undefined : JSON.parse(before);
const integrity = withVersion(known, version, files);
await Promise.all([
  ...files.map(({ name, contents }) => writeFile(join(released, name), contents)),
  writeFile(join(released, 'integrity.json'), `${JSON.stringify(integrity, null, 2)}\n`),
]);
const snippet = await buildDeviceSnippet(process.cwd());
await writeFile(join(deviceFolder, 'released', snippet.name), snippet.contents);
const sizes = [...files, snippet].map(({ name, contents }) => ({
  name,
  bytes: contents.length,
  compressed: gzipSync(contents, { level: 9 }).length,
}));
if (process.argv.includes('--json')) printJson({ version, files: sizes });
else
  for (const { name, bytes, compressed } of sizes)
    process.stdout.write(`${name}: ${bytes} bytes, ${compressed} compressed\n`);
