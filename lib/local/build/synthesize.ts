import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorText } from '../user-error.ts';

/**
 * A program of its own, run by template.ts: it synthesizes the stack into the folder that it is given. The memory that CDK
 * takes ends with it. The rule packs are for `npm run synth`, not for every start; and in the place of each function's code
 * stands an empty folder, as it is built when it is first wanted.
 */
const [, , folder = '', workshop = ''] = process.argv;

const synthesize = async (): Promise<void> => {
  const { operations } = await import('#functions/operations.ts');
  const { workers } = await import('#functions/workers.ts');
  const { createServiceApp } = await import('#lib/cloud/service-app.ts');
  const { writeDeclared } = await import('./declared-functions.ts');
  const code = join(workshop, 'no-code');
  mkdirSync(code, { recursive: true });
  writeFileSync(join(code, 'index.js'), '');
  const context = { checks: 'off', allowSandbox: true };
  createServiceApp({ operations, workers, bundleOf: () => code, outdir: folder, context }).synth();
  writeDeclared(folder, [...operations, ...workers]);
};

try {
  await synthesize();
} catch (error) {
  process.stderr.write(`${errorText(error)}\n`);
  process.exitCode = 1;
}
