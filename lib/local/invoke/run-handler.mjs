import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

/** Runs a function's code as Lambda does, in plain Node: `node run-handler.mjs <folder> <event.json> <environment.json>`. */
const [, , folder = '', eventFile = '', environmentFile = ''] = process.argv;
const parse = (file) => JSON.parse(readFileSync(file, 'utf8'));
Object.assign(process.env, parse(environmentFile).Parameters);
const { handler } = createRequire(import.meta.url)(resolve(folder, 'index.js'));
const context = { awsRequestId: 'local', getRemainingTimeInMillis: () => 28_000 };
const reply = JSON.stringify(await handler(parse(eventFile), context));
process.stdout.write(`${reply}\n`, () => process.exit());
