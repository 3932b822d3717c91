import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const folders = ['functions', 'lib', 'bin'] as const;
const files = ['package.json', 'package-lock.json', 'tsconfig.json', 'cdk.json', 'docs/openapi.json'] as const;

/**
 * A digest of everything that the bundles and the template are made from, by name and content: 64 hexadecimal digits.
 * While it stays the same, an earlier build can be used again. `root` is the folder of `package.json`.
 */
export const inputsHash = async (root: string = process.cwd()): Promise<string> => {
  const found = await Promise.all(folders.map((folder) => filesUnder(root, folder)));
  const paths = [...found.flat(), ...files].sort();
  const contents = await Promise.all(paths.map((path) => readOrNothing(join(root, path))));
  const digest = createHash('sha256').update(process.version);
  paths.forEach((path, index) => {
    const content = contents[index] ?? Buffer.alloc(0);
    digest.update(`\0${path}\0${content.length}\0`).update(content);
  });
  return digest.digest('hex');
};

const filesUnder = async (root: string, folder: string): Promise<string[]> => {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(root, '/').length));
};

const readOrNothing = async (path: string): Promise<Buffer> => {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
};
