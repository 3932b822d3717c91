import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';

/** What V8 made of a function's files lies there, beside them: of the very V8 and processor that it can be used by. */
export const cacheFolderOf = (folder: string): string =>
  join(folder, cacheFolder, `${process.versions.v8}-${process.arch}`);
export const cacheFolder = 'code-cache';
export const cacheOf = (file: string): string => `${file}.bin`;
/** Which Node made a cache; lies beside it. */
export const makerFile = 'made-by.json';

const sealLength = 32;
const sealOf = (cache: Buffer): Buffer => hash('sha256', cache, 'buffer');

/** V8 does not look at what is in a cache, and a damaged one is the end of the process: so its hash stands before it. */
export const seal = (cache: Buffer): Buffer => Buffer.concat([sealOf(cache), cache]);

/** What was sealed; undefined if it is not that any more. */
export const unseal = (sealed: Buffer): Buffer | undefined => {
  const cache = sealed.subarray(sealLength);
  return sealOf(cache).equals(sealed.subarray(0, sealLength)) ? cache : undefined;
};

type Module = { exports: object };
type Compiled = (exports: object, require: (id: string) => unknown, module: Module, file: string, dir: string) => void;

/** As Node wraps a CommonJS file. In one line with it, so that what a stack says of lines and columns holds. */
const opening = '(function (exports, require, module, __filename, __dirname) {';

export type Cached = {
  /** What V8 made of a file, if it is there. */
  read: (name: string) => Buffer | undefined;
  onCompiled: (name: string, script: Script) => void;
};

/** Loads the files of a folder as `require` does, with V8's code of them. Node's own loader takes none from a caller. */
export const createLoader = (folder: string, { read, onCompiled }: Cached): ((name: string) => object) => {
  const requireOther = createRequire(join(folder, 'index.js'));
  const modules = new Map<string, Module>();
  const requireFrom = (id: string): unknown => (id.startsWith('./') ? load(id.slice(2)) : requireOther(id));
  const load = (name: string): object => {
    const known = modules.get(name);
    if (known) return known.exports;
    const filename = join(folder, name);
    const cachedData = read(name);
    const script = new Script(`${opening}${readFileSync(filename, 'utf8')}\n})`, {
      filename,
      columnOffset: -opening.length,
      ...(cachedData && { cachedData }),
    });
    onCompiled(name, script);
    const module: Module = { exports: {} };
    modules.set(name, module);
    try {
      const run: Compiled = script.runInThisContext();
      run.call(module.exports, module.exports, requireFrom, module, filename, folder);
    } catch (error) {
      // As `require` does: who asks again gets the error again, and not half a module.
      modules.delete(name);
      throw error;
    }
    return module.exports;
  };
  return load;
};
