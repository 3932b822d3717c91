import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Partitions } from '#core/platform/operation/grants.ts';
import { keys } from '#core/platform/table/keys.ts';
import { handlerFile } from '#functions/declaration-files.ts';
import { withoutFormat } from './generated-files.ts';

/** The file that `npm run fix` writes with the partitions of the table that the code of each function can name. */
export const registeredPartitionsFile = 'lib/build/registered-partitions.json';

type Named = { area: string; name: string };

/** Uses of the keys in a bundle, where esbuild may have added a digit to the name of the object, or spread the result. */
const keyUses = /(?:(?<![.\w])|(?<=\.\.\.))keys\d*\.(\w+)/g;
/** Names of the lists' entities: constants that are still there after what the function never uses was left out. */
const entities = /\b\w+Entity\d* = "([A-Z][A-Z_]*@?)"/g;

/** The first word of the partition key that one of `keys` spells. */
const keyWord = (key: string): string | undefined => {
  if (!Object.hasOwn(keys, key)) return undefined;
  const spelled: unknown = Reflect.apply(Reflect.get(keys, key), undefined, ['', '', { number: 0, version: 0 }, '']);
  const pk = typeof spelled === 'string' ? spelled : Reflect.get(Object(spelled), 'pk');
  return String(pk).split('#', 1)[0];
};

/** The code of each function, by `<area>/<name>`, without packages and without what it never uses. */
export const buildBundles = async (functions: readonly Named[], root: string): Promise<ReadonlyMap<string, string>> => {
  const { outputFiles } = await build({
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    // The code of packages spells no keys.
    packages: 'external',
    entryPoints: functions.map((one) => ({ in: handlerFile(one, root), out: `${one.area}/${one.name}` })),
    outdir: join(root, 'dist', 'partitions'),
    write: false,
    logLevel: 'silent',
  });
  const texts = new Map(outputFiles.map(({ path, text }) => [path, text]));
  const textOf = (name: string) => texts.get(join(root, 'dist', 'partitions', `${name}.js`)) ?? '';
  return new Map(functions.map(({ area, name }) => [`${area}/${name}`, textOf(`${area}/${name}`)]));
};

/**
 * The partitions that the code of each function can name, by `<area>/<name>`: every key that is spelled, and every list that is named, by
 * code that is left in its bundle. It is never too little, as `keys` is the only place that spells keys.
 */
export const findPartitions = async (
  functions: readonly Named[],
  root: string,
): Promise<ReadonlyMap<string, Partitions>> =>
  new Map(
    [...(await buildBundles(functions, root))].map(([name, text]) => [
      name,
      { rows: wordsIn(text, keyUses, keyWord), lists: wordsIn(text, entities, (entity) => entity) },
    ]),
  );

const wordsIn = (text: string, pattern: RegExp, wordFor: (match: string) => string | undefined): string[] =>
  [...new Set([...text.matchAll(pattern)].flatMap(([, match = '']) => wordFor(match) ?? []))].sort();

type Granted = Named & { grants: { table?: unknown; indexes?: readonly string[] } };

/** The text of the registration: only functions that may read the table, with lists only for those that may read lists. */
export const registeredPartitionsText = (
  declared: readonly Granted[],
  partitions: ReadonlyMap<string, Partitions>,
): string => {
  const entries = declared.flatMap(({ area, name, grants }) => {
    const { rows = [], lists = [] } = partitions.get(`${area}/${name}`) ?? {};
    const readsLists = grants.indexes?.some((index) => index !== 'due') ?? false;
    if (!grants.table && !grants.indexes) return [];
    const granted = { rows: grants.table ? rows : [], lists: readsLists ? lists : [] };
    // A line for each function, so that changes are readable.
    return [`  ${JSON.stringify(`${area}/${name}`)}: ${JSON.stringify(granted)}`];
  });
  return `{\n${entries.join(',\n')}\n}\n`;
};

/** The registration by its path, if it does not say what the code names. */
export const stalePartitions = async (
  root: string,
  declared: readonly Granted[],
): Promise<ReadonlyMap<string, string>> => {
  const text = registeredPartitionsText(declared, await findPartitions(declared, root));
  const path = join(root, registeredPartitionsFile);
  const written = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return new Map(withoutFormat(written) === withoutFormat(text) ? [] : [[registeredPartitionsFile, text]]);
};
