import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { phpGroups, phpGroupsTrait, phpOperations, phpSchemas } from './php-types.ts';

/** Makes the PHP client's package in a folder, from the API document. It needs no PHP. */
export const buildPhpClient = async (root: string, folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true });
  await cp(join(root, 'lib/php-client'), folder, { recursive: true });
  const document: unknown = JSON.parse(await readFile(join(root, 'docs/openapi.json'), 'utf8'));
  await writeFile(join(folder, 'src/Schemas.php'), phpSchemas(document));
  const { version }: { version: string } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  await writeFile(join(folder, 'src/Operations.php'), phpOperations(document, version));
  await writeFile(join(folder, 'src/Groups.php'), phpGroupsTrait(document));
  await mkdir(join(folder, 'src/Groups'), { recursive: true });
  for (const [name, text] of phpGroups(document)) await writeFile(join(folder, `src/Groups/${name}.php`), text);
  const manifest = await readFile(join(folder, 'composer.json'), 'utf8');
  await writeFile(join(folder, 'composer.json'), manifest.replace('"version": "0.0.0"', `"version": "${version}"`));
};
