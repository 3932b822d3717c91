import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { shortErrors } from './sdk-errors.ts';
import { replacements } from './sdk-replacements.ts';

type Regions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
type Partitions = { partitions: readonly { regionRegex: string; regions: Regions }[] };

/** Regions that the partition's own rule of names does not find, or of which more is said than what they are called. */
const unruly = ({ regionRegex, regions }: Partitions['partitions'][number]): Regions =>
  Object.fromEntries(
    Object.entries(regions).filter(
      ([name, { description: _, ...more }]) => !new RegExp(regionRegex).test(name) || Object.keys(more).length > 0,
    ),
  );

/** Leaves out of the bundles what can never run there. */
export const leanSdk: Plugin = {
  name: 'lean-sdk',
  setup: (build) => {
    replacements.forEach(({ module, importer, except }, index) => {
      build.onResolve({ filter: module }, ({ importer: from, path }) =>
        (importer && !importer.test(from)) || except?.test(path)
          ? undefined
          : { path: String(index), namespace: 'lean-sdk', sideEffects: false },
      );
    });
    build.onLoad({ filter: /^\d+$/, namespace: 'lean-sdk' }, ({ path }) => ({
      contents: replacements[Number(path)]?.contents ?? '',
      loader: 'js',
      resolveDir: import.meta.dirname,
    }));
    // Of its partitions the SDK brings every region with its description, and finds those of a rule of names as well.
    build.onLoad({ filter: /[\\/]util-endpoints[\\/]lib[\\/]aws[\\/]partitions\.js$/ }, async ({ path }) => {
      // The SDK's own module, whose types name no such export.
      const { partitionsInfo } = (await import(pathToFileURL(path).href)) as { partitionsInfo: Partitions };
      const partitions = partitionsInfo.partitions.map((one) => ({ ...one, regions: unruly(one) }));
      return {
        contents: `export const partitionsInfo = ${JSON.stringify({ ...partitionsInfo, partitions })};`,
        loader: 'js',
      };
    });
    // Every client has a class for each error of its service.
    build.onLoad(
      { filter: /[\\/]@aws-sdk[\\/]client-[\w-]+[\\/]dist-es[\\/]models[\\/]errors\.js$/ },
      async ({ path }) => ({
        contents: shortErrors(await readFile(path, 'utf8')),
        loader: 'js',
      }),
    );
    // A client reads its own version; the rest of its package.json is for people and package managers.
    build.onLoad({ filter: /[\\/]@aws-sdk[\\/][\w-]+[\\/]package\.json$/ }, async ({ path }) => {
      const { version }: { version: string } = JSON.parse(await readFile(path, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};
