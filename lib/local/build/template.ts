import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { UserError } from '../user-error.ts';
import { type Digests, filesUnder, projectRoot } from './digests.ts';
import { createVersions } from './versions.ts';

export type BuiltTemplate = {
  /** The folder with the template. */
  folder: string;
  /** True if one of the same sources was there already. */
  isCached: boolean;
  /** Checks whether it is still what the sources make. */
  isCurrent(): boolean;
};

const home = join(projectRoot, 'dist', 'local', 'templates');
const program = 'lib/local/build/synthesize.ts';
/** Compiled code of CDK and of the declarations: with it, synthesizing again takes a fifth less. */
const compiled = join(projectRoot, 'node_modules', '.cache', 'compiled');

/** Synthesizes the stack, unless that was done from the same sources before. Throws UserError with what is wrong in them. */
export const buildTemplate = async (digests: Digests): Promise<BuiltTemplate> => {
  const declarations = declarationFiles();
  const versions = createVersions(home, digests, ...declarations);
  const found = versions.find();
  const version =
    found ??
    (await versions.add(async (folder) => {
      await synthesize(folder);
      return { sources: [...(await findSources([program, ...declarations])), 'cdk.json'], note: null };
    }));
  const isCurrent = () => versions.isCurrent(version) && declarationFiles().join() === declarations.join();
  return { folder: version.folder, isCached: found !== undefined, isCurrent };
};

const declarationFiles = (): string[] =>
  filesUnder(projectRoot, 'functions').filter((path) => /\/(operation|worker)\.ts$/.test(path));

/** All own files that these import, directly or not. */
const findSources = async (programs: readonly string[]): Promise<string[]> => {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: projectRoot,
    entryPoints: [...programs],
    outdir: join(projectRoot, 'dist', 'sources'),
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  });
  return Object.keys(metafile.inputs).sort();
};

const synthesize = async (folder: string): Promise<void> => {
  const child = spawn(process.execPath, [join(projectRoot, program), folder, `${folder}-workshop`], {
    cwd: projectRoot,
    env: { ...process.env, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? compiled },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const words: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => words.push(chunk.toString()));
  const [status] = await once(child, 'close');
  if (status !== 0) throw new UserError(`The stack cannot be synthesized: ${words.join('').trim()}`);
};
