import { resolve } from 'node:path';
import { operations } from '../functions/operations.ts';
import { workers } from '../functions/workers.ts';
import { bundle, bundleName } from '../lib/build/bundle.ts';
import { createServiceApp } from '../lib/cloud/service-app.ts';

const outdir = resolve('dist/functions');
await bundle({ outdir, functions: [...operations, ...workers] });
createServiceApp({ operations, workers, bundleOf: (one) => resolve(outdir, bundleName(one)) }).synth();
