import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { staleDues } from '#lib/build/dues.ts';
import { staleProcessorFiles } from '#lib/build/processors.ts';
import { staleFiles } from '#lib/build/providers.ts';

/**
 * Registers what `functions/disputes/providers/`, `functions/payments/processors/` and the files `<noun>-due.ts` declare, and gives the alert
 * providers that have no endpoint one.
 */
const root = join(import.meta.dirname, '..');

for (const [file, text] of [...(await staleProcessorFiles(root)), ...(await staleFiles(root)), ...staleDues(root)]) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
  process.stdout.write(`${file} written\n`);
}
