import { resolve } from 'node:path';
import { operations } from '#functions/operations.ts';
import { workers } from '#functions/workers.ts';
import { bundle, bundleName, type Named } from '#lib/build/bundle.ts';
import { addCodeCaches, findMaker } from '#lib/build/code-cache.ts';
import { createServiceApp } from '#lib/cloud/service-app.ts';

const outdir = resolve('dist/functions');
/** The CDK's own output is on standard output. */
const say = (words: string): void => console.error(words);
const sayWithoutCaches = (reason: string): void =>
  say(`Without code caches, so cold starts take longer: ${reason}. See docs/operations.md, "Code caches".`);

say(`Building ${operations.length + workers.length} functions …`);
await bundle({ outdir, functions: [...operations, ...workers] });
const bundleOf = (one: Named): string => resolve(outdir, bundleName(one));
const maker = await findMaker('arm64');
if ('node' in maker) {
  say(`Making code caches for V8 of Node ${maker.version}, Linux on arm64 …`);
  await addCodeCaches({ functions: operations, dirOf: bundleOf, node: maker.node }).catch((error: Error) =>
    sayWithoutCaches(error.message),
  );
} else {
  sayWithoutCaches(maker.reason);
}
say('Writing the templates and checking them …');
createServiceApp({ operations, workers, bundleOf }).synth();
say('Done.');
