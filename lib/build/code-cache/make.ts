import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Script } from 'node:vm';
import { cacheFolderOf, cacheOf, createLoader } from './loader.ts';

/**
 * Run by the Node that functions are to run in: `make.ts <folder> <sample event>`. Loads a function and calls it once, with an AWS that
 * knows nothing, so that V8 compiles what a first call needs; then keeps what V8 has of each file. What is answered does not
 * matter.
 */
const [folder = '', sample = ''] = process.argv.slice(2);

const ring = JSON.stringify({ current: 'k1', k1: 'the key of a service that knows nothing' });
const emptyAws = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.end(JSON.stringify({ SecretString: ring })));
});
await new Promise<void>((resolve) => emptyAws.listen(0, '127.0.0.1', resolve));
const address = `http://127.0.0.1:${(emptyAws.address() as AddressInfo).port}`;
process.env['AWS_ENDPOINT_URL'] = address;
for (const name of Object.keys(process.env)) if (name.endsWith('_QUEUE_URL')) process.env[name] = `${address}/0/queue`;

/** What a running stack would put in the place of `{{name}}`; nothing of that name is there. */
const fillIn = (name: string): string => {
  if (name === 'now') return new Date().toISOString();
  if (name === 'now_seconds') return String(Math.floor(Date.now() / 1000));
  if (name.endsWith('hash')) return '0'.repeat(32);
  return /(?:alert_id|txid)$/.test(name) ? '1000000000000001' : '1';
};
const event: unknown = JSON.parse(
  readFileSync(sample, 'utf8').replace(/\{\{([\w:]+)\}\}/g, (_, name: string) => fillIn(name)),
);

const scripts = new Map<string, Script>();
const load = createLoader(folder, { read: () => undefined, compiled: (name, script) => scripts.set(name, script) });

type Handler = (event: unknown, context: object) => Promise<unknown>;
const { handler } = load('index.js') as { handler: Handler };
const context = { awsRequestId: 'request-1', functionName: 'code-cache', getRemainingTimeInMillis: () => 30_000 };
await handler(event, context).catch(() => undefined);

const cache = cacheFolderOf(folder);
mkdirSync(cache, { recursive: true });
for (const [name, script] of scripts) writeFileSync(join(cache, cacheOf(name)), script.createCachedData());
process.exit();
