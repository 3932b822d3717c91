import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withCodeSamples } from '#accounts/documents/code-samples.ts';
import { siteSources } from '#accounts/documents/site/catalog.ts';
import { siteFileNames, siteFront, siteText } from '#accounts/documents/site/documentation.ts';
import type { SitePlace } from '#accounts/documents/site/layout.ts';
import { jsonOption, printJson } from '#lib/local/command.ts';

/** Writes the documentation as a static site that any host can serve. */

const help = `npm run docs -- [--out folder]

  --out   Folder to write to (default: dist/docs)
  --json  Print {"folder", "files"} instead
`;

const { values } = parseArgs({
  options: { out: { type: 'string', default: 'dist/docs' }, ...jsonOption, help: { type: 'boolean', default: false } },
});
if (values.help) {
  process.stdout.write(help);
  process.exit(0);
}

const place: SitePlace = { base: '', extension: '.html', home: 'index.html', dashboard: null };
const readSitePart = (name: string): Promise<string> => readFile(siteSources[name] ?? '', 'utf8');

await mkdir(values.out, { recursive: true });
const names = siteFileNames(place);
for (const name of names) await writeFile(join(values.out, name), await siteText(name, readSitePart, place));
await writeFile(join(values.out, 'index.html'), siteFront(place));
await writeFile(join(values.out, 'openapi.json'), withCodeSamples(await readFile('docs/openapi.json', 'utf8')));
const files = [...names, 'index.html'];
if (values.json) printJson({ folder: values.out, files });
else process.stdout.write(`${files.length} files written to ${values.out}\n`);
