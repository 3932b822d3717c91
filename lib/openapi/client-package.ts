import { execFile } from 'node:child_process';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { camelCase, clientMethods } from './client-methods.ts';
import { clientTypes } from './client-types.ts';
import { headerTakersOf } from './header-takers.ts';

const run = promisify(execFile);

const writeMethods = (document: unknown): string => {
  const groups = [...Map.groupBy(clientMethods(document), ({ group }) => group)].map(([group, own]) => {
    const lines = own.map(
      ({ name, call, operation }) =>
        `    /** ${operation['summary']}: \`${call}\` */\n    ${camelCase(name)}: '${call}',\n`,
    );
    return `  ${camelCase(group)}: {\n${lines.join('')}  },\n`;
  });
  return `/** The operations by their headings in the API reference. */\nexport const methods = {\n${groups.join('')}} as const;\n`;
};

/** Makes the TypeScript client's package in a folder, from the API document; `npm pack` there packs it. */
export const buildClient = async (root: string, folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true });
  await cp(join(root, 'lib/client'), folder, { recursive: true });
  const document: unknown = JSON.parse(await readFile(join(root, 'docs/openapi.json'), 'utf8'));
  await writeFile(join(folder, 'src/schema.ts'), clientTypes(document));
  const { idempotent, signable } = headerTakersOf(document);
  const setOf = (names: readonly string[]) => `ReadonlySet<string> = new Set(${JSON.stringify(names, null, 2)});\n`;
  const { version }: { version: string } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  await writeFile(
    join(folder, 'src/operations.ts'),
    `export const version = '${version}';\n${writeMethods(document)}` +
      `export const idempotent: ${setOf(idempotent)}export const signable: ${setOf(signable)}`,
  );
  const manifest = await readFile(join(folder, 'package.json'), 'utf8');
  await writeFile(join(folder, 'package.json'), manifest.replace('"version": "0.0.0"', `"version": "${version}"`));
  await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]);
};
