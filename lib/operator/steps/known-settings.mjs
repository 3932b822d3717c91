// Plain JavaScript, run in the working copy of an older release: prints the settings of a stage's file (standard input) that this release knows.
import { readFileSync } from 'node:fs';

const known = readFileSync('lib/cloud/settings.ts', 'utf8');
const given = JSON.parse(readFileSync(0, 'utf8'));
const kept = Object.entries(given).filter(([name]) => known.includes(`\n  '${name}',`));
process.stdout.write(`${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
