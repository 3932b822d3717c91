import { join } from 'node:path';
import { operations } from '../../functions/operations.ts';
import { workers } from '../../functions/workers.ts';
import { bundle, bundleName } from '../build/bundle.ts';
import { createServiceApp } from '../cloud/service-app.ts';

/**
 * A program of its own, run by build.ts: it builds the functions and synthesizes the stack into the folder that it is given.
 * The memory that CDK takes ends with it. The rule packs are for `npm run synth`, not for every start.
 */
const [, , folder = ''] = process.argv;
const bundles = join(folder, 'functions');
await bundle({ outdir: bundles, functions: [...operations, ...workers] });
createServiceApp({
  operations,
  workers,
  bundleOf: (one) => join(bundles, bundleName(one)),
  outdir: join(folder, 'cdk.out'),
  context: { checks: 'off', allowSandbox: true },
}).synth();
