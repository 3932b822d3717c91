// Loads functions in a new process and calls each once, as Lambda does after a cold start. Argument: a file with a JSON list of
// {code, event}; without an event it is only loaded. The last line it prints has the answers and their times. Plain JavaScript: only the
// functions are compiled here. Lambda too loads CommonJS by require and ES modules by import.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const calls = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const context = { awsRequestId: 'request-1', functionName: 'bench', getRemainingTimeInMillis: () => 30_000 };
const statuses = [];
const found = [];
const stripKind = (entry) => entry.replace(/^\S+ /, '');
// Not performance.now(): it would load what a function that asks for it has to load itself.
const cpuBefore = process.cpuUsage();
const begin = process.hrtime.bigint();
for (const { code, event } of calls) {
  const before = process.moduleLoadList.length;
  const { handler } = code.endsWith('.mjs') ? await import(code) : require(code);
  if (event !== undefined) {
    const { statusCode } = await handler(event, context);
    statuses.push(statusCode);
  }
  found.push({ kind: typeof handler, loaded: process.moduleLoadList.slice(before).map(stripKind) });
}
const wallMilliseconds = Number(process.hrtime.bigint() - begin) / 1e6;
const { user, system } = process.cpuUsage(cpuBefore);
const loaded = process.moduleLoadList.map(stripKind);
const result = { statuses, wallMilliseconds, cpuMilliseconds: (user + system) / 1000, loaded, found };
process.stdout.write(`\n${JSON.stringify(result)}\n`, () => process.exit());
