import { execFile } from 'node:child_process';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { clientTypes } from './client-types.ts';
import { operationsTakingKeys } from './taking-keys.ts';

const run = promisify(execFile);

/** Makes the TypeScript client's package in a folder, from the API document; `npm pack` there packs it. */
export const buildClient = async (root: string, folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true });
  await cp(join(root, 'lib/client'), folder, { recursive: true });
  const document: unknown = JSON.parse(await readFile(join(root, 'docs/openapi.json'), 'utf8'));
  await writeFile(join(folder, 'src/schema.ts'), clientTypes(document));
  const names = operationsTakingKeys(document).map((name) => `\n  '${name}',`);
  const words = '/** The operations that take an idempotency key: repeating one with the same key is safe. */';
  await writeFile(
    join(folder, 'src/taking-keys.ts'),
    `${words}\nexport const takingKeys: ReadonlySet<string> = new Set([${names.join('')}\n]);\n`,
  );
  await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]);
};
