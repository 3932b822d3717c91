// Loads functions in a new process and calls each once, as Lambda does after a cold start. Arguments: a JSON list of
// {code, event}. The last line it prints is what was answered and what that took. Plain JavaScript: nothing but the
// functions is to be compiled here. Lambda too loads CommonJS by require and ES modules by import.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const calls = JSON.parse(process.argv[2]);
const context = { awsRequestId: 'request-1', functionName: 'bench', getRemainingTimeInMillis: () => 30_000 };
const statuses = [];
// Not performance.now(): it would load what a function that asks for it has to load itself.
const cpuBefore = process.cpuUsage();
const begin = process.hrtime.bigint();
for (const { code, event } of calls) {
  const { handler } = code.endsWith('.mjs') ? await import(code) : require(code);
  const { statusCode } = await handler(event, context);
  statuses.push(statusCode);
}
const wallMilliseconds = Number(process.hrtime.bigint() - begin) / 1e6;
const { user, system } = process.cpuUsage(cpuBefore);
const loaded = process.moduleLoadList.map((entry) => entry.replace(/^\S+ /, ''));
const result = { statuses, wallMilliseconds, cpuMilliseconds: (user + system) / 1000, loaded };
process.stdout.write(`\n${JSON.stringify(result)}\n`, () => process.exit());
