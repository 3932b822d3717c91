import { readFileSync, writeFileSync } from 'node:fs';
import { operationsDocument } from '../lib/openapi/sample.ts';

/** Writes docs/openapi.json from the operations; with `--check`, only says whether it is current. */
const file = 'docs/openapi.json';
const text = operationsDocument();
if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${file} is stale: run npm run openapi\n`);
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, text);
  process.stdout.write(`${file} written\n`);
}
