import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { staleFiles } from '../lib/build/providers.ts';

/** Registers the alert providers that `functions/providers/` declares, and gives those that have no endpoint one. */
const root = join(import.meta.dirname, '..');

for (const [file, text] of await staleFiles(root)) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
  process.stdout.write(`${file} written\n`);
}
