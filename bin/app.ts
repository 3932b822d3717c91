import { resolve } from 'node:path';
import { operations } from '#functions/operations.ts';
import { workers } from '#functions/workers.ts';
import { bundle, bundleName, type Named } from '#lib/build/bundle.ts';
import { checkSettings, createServiceApp } from '#lib/cloud/service-app.ts';

const outdir = resolve('dist/functions');
/** The CDK's own output is on standard output. */
const say = (words: string): void => console.error(words);

checkSettings();
say(`Building ${operations.length + workers.length} functions …`);
await bundle({ outdir, functions: [...operations, ...workers] });
const bundlePath = (one: Named): string => resolve(outdir, bundleName(one));
say('Writing the templates and checking them …');
createServiceApp({ operations, workers, bundleOf: bundlePath }).synth();
say('Done.');
