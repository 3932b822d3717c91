import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { staleDues } from '#lib/build/dues.ts';
import { stalePartitions } from '#lib/build/partitions.ts';
import { staleProcessorFiles } from '#lib/build/processors.ts';
import { staleFiles } from '#lib/build/providers.ts';

/**
 * Registers what `functions/disputes/providers/`, `functions/payments/processors/` and the files `<noun>-due.ts` declare, gives the alert
 * providers that have no endpoint one, and registers the partitions of the table that each function names.
 */
const root = join(import.meta.dirname, '..');

const write = (files: Iterable<readonly [string, string]>): void => {
  for (const [file, text] of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
    process.stdout.write(`${file} written\n`);
  }
};

write([...(await staleProcessorFiles(root)), ...(await staleFiles(root)), ...staleDues(root)]);
// The files that were just written may have added a function, or keys to one.
const { operations } = await import('#functions/operations.ts');
const { workers } = await import('#functions/workers.ts');
write(await stalePartitions(root, [...operations, ...workers]));
