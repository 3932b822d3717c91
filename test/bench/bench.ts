import { parseArgs } from 'node:util';
import pc from 'picocolors';
import { isTerminal, machine } from './report.ts';
import { type Finding, renderFindings } from './table.ts';

const usage = `Measures what Forewarn promises about speed, as ratios and counts.

  npm run bench                    everything; most of the time is for orders and alerts of 100,000
  npm run bench -- --quick         fewer repetitions, orders and alerts of 10,000
  npm run bench -- --only lookup   the parts whose names have that in them; may be said more than once
  npm run bench -- --parts         names them
  npm run bench -- --help          this
`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean' },
    only: { type: 'string', multiple: true },
    parts: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
if (options.help) {
  process.stdout.write(usage);
  process.exit();
}

/** The functions log to the standard output, which is the report's here. */
const print = process.stdout.write.bind(process.stdout);
process.stdout.write = () => true;

// Before any module of the service is loaded: some read it then.
Object.assign(process.env, {
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'bench',
  AWS_SECRET_ACCESS_KEY: 'bench',
  TABLE_NAME: 'forewarn-test',
  STAGE_NAME: 'bench',
});
const { parts } = await import('./parts.ts');
const { startCountedTable } = await import('./counted-table.ts');

const asked = [...(options.only ?? []), ...positionals];
const wanted = parts.filter(({ name }) => asked.length === 0 || asked.some((text) => name.includes(text)));
const names = (some: typeof parts) => some.map(({ name }) => `  ${name}\n`).join('');
if (options.parts || wanted.length === 0) {
  print(`${options.parts ? '' : 'No part has that in its name. '}The parts are\n${names(parts)}`, () => process.exit());
}

const notes = `A cold start is a new process that loads the bundle and makes one call, over TLS. "By hand" is
update-alert in one file on the AWS SDK, without framework or schemas, in a plain ESM bundle. Times are medians of turns
taken one after the other, so a busy machine slows both sides. Webhooks go to a receiver on loopback over plain HTTP,
signed, without the table. Counts are those of test/budget.test.ts.
`;

const about = machine();
const findings: Finding[] = [];
// One table for all: a client keeps to the address it found first.
const table = await startCountedTable();
for (const { measure } of wanted) findings.push(...(await measure(table, options.quick ?? false)));
await table[Symbol.asyncDispose]();
if (isTerminal) process.stderr.write('\r\x1b[K');
print(`\n${about}\n\n${renderFindings(findings)}\n${pc.dim(notes)}`, () => process.exit());
