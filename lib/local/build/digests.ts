import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { codeIn } from '../user-error.ts';

export const projectRoot = resolve(import.meta.dirname, '../../..');

/** The tools that make the code and the template from their sources; the lock file represents all packages. */
const tools = ['package-lock.json', 'tsconfig.json'] as const;
const toolFolders = ['lib/build'] as const;

export type Digests = {
  root: string;
  /** A digest of files by name and content, of the tools, and of further words: 16 hexadecimal digits. */
  of(paths: readonly string[], ...words: readonly string[]): string;
};

type Known = { modifiedAt: number; size: number; digest: string };

/** Digests of files of the project, by their paths in it; a file is read again only when it has been written. */
export const createDigests = (root: string = projectRoot): Digests => {
  const known = new Map<string, Known>();
  const ofFile = (path: string): string => {
    const found = statSync(join(root, path), { throwIfNoEntry: false });
    if (!found) return 'none';
    const { mtimeMs: modifiedAt, size } = found;
    const kept = known.get(path);
    if (kept?.modifiedAt === modifiedAt && kept.size === size) return kept.digest;
    const digest = createHash('sha256')
      .update(readOrEmpty(join(root, path)))
      .digest('hex');
    known.set(path, { modifiedAt, size, digest });
    return digest;
  };
  return {
    root,
    of: (paths, ...words) => {
      const all = [...tools, ...toolFolders.flatMap((folder) => filesUnder(root, folder)), ...paths];
      const digest = createHash('sha256').update(JSON.stringify([process.version, ...words]));
      for (const path of all) digest.update(`\0${path}\0${ofFile(path)}`);
      return digest.digest('hex').slice(0, 16);
    },
  };
};

/** A file may go between two looks. */
const readOrEmpty = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch (error) {
    if (codeIn(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
};

/** Every file under a folder of the project, by its path in the project, in order. */
export const filesUnder = (root: string, folder: string): string[] => {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => posix.join(parentPath, name).slice(root.length + 1))
    .sort();
};
