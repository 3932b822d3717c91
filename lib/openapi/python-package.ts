import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pythonSchema, pythonStub } from './python-types.ts';
import { operationsTakingKeys } from './taking-keys.ts';

/** Makes the Python client's package in a folder, from the API document. Nothing of Python is needed for that. */
export const buildPythonClient = async (root: string, folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true });
  await cp(join(root, 'lib/python-client'), folder, { recursive: true });
  const document: unknown = JSON.parse(await readFile(join(root, 'docs/openapi.json'), 'utf8'));
  await writeFile(join(folder, 'forewarn/schema.py'), pythonSchema(document));
  await writeFile(join(folder, 'forewarn/client.pyi'), pythonStub(document));
  const names = operationsTakingKeys(document).map((name) => `\n    "${name}",`);
  const words = '"""The operations that take an idempotency key: repeating one with the same key is safe."""';
  await writeFile(
    join(folder, 'forewarn/_taking_keys.py'),
    `${words}\n\nTAKING_KEYS = frozenset({${names.join('')}\n})\n`,
  );
  const { version }: { version: string } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const project = await readFile(join(folder, 'pyproject.toml'), 'utf8');
  await writeFile(join(folder, 'pyproject.toml'), project.replace('version = "0.0.0"', `version = "${version}"`));
};
