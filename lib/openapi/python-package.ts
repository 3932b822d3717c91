import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clientMethods } from './client-methods.ts';
import { headerTakersOf } from './header-takers.ts';
import { pythonSchema, pythonStub, snakeCase } from './python-types.ts';

/** Makes the Python client's package in a folder, from the API document. Nothing of Python is needed for that. */
export const buildPythonClient = async (root: string, folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true });
  await cp(join(root, 'lib/python-client'), folder, { recursive: true });
  const document: unknown = JSON.parse(await readFile(join(root, 'docs/openapi.json'), 'utf8'));
  await writeFile(join(folder, 'forewarn/schema.py'), pythonSchema(document));
  await writeFile(join(folder, 'forewarn/client.pyi'), pythonStub(document));
  const { idempotent, signable } = headerTakersOf(document);
  const setOf = (names: readonly string[]) => `frozenset(${JSON.stringify(names, null, 4)})\n`;
  const { version }: { version: string } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const groups = [...Map.groupBy(clientMethods(document), ({ group }) => snakeCase(group))].map(([group, own]) => [
    group,
    Object.fromEntries(own.map(({ name, call }) => [snakeCase(name), call])),
  ]);
  await writeFile(
    join(folder, 'forewarn/_operations.py'),
    '"""The operations: their methods, which take an idempotency key, and which a signature."""\n\n' +
      `VERSION = "${version}"\nMETHODS = ${JSON.stringify(Object.fromEntries(groups), null, 4)}\n` +
      `IDEMPOTENT = ${setOf(idempotent)}SIGNABLE = ${setOf(signable)}`,
  );
  const project = await readFile(join(folder, 'pyproject.toml'), 'utf8');
  await writeFile(join(folder, 'pyproject.toml'), project.replace('version = "0.0.0"', `version = "${version}"`));
};
