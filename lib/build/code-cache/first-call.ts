import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Handler = (event: unknown, context: object) => Promise<unknown>;

/**
 * Loads a function and calls it once with its sample event, with an AWS on loopback that knows nothing, so that what a first call needs has run.
 * What is answered does not matter.
 */
export const callOnce = async (sample: string, load: () => object): Promise<void> => {
  await startEmptyAws();
  const event: unknown = JSON.parse(
    readFileSync(sample, 'utf8').replace(/\{\{([\w:]+)\}\}/g, (_, name: string) => fillIn(name)),
  );
  const { handler } = load() as { handler: Handler };
  const context = { awsRequestId: 'request-1', functionName: 'code-cache', getRemainingTimeInMillis: () => 30_000 };
  await handler(event, context).catch(() => undefined);
};

const startEmptyAws = async (): Promise<void> => {
  const ring = JSON.stringify({ current: 'k1', k1: 'the key of a service that knows nothing' });
  const emptyAws = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.end(JSON.stringify({ SecretString: ring })));
  });
  await new Promise<void>((resolve) => emptyAws.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(emptyAws.address() as AddressInfo).port}`;
  process.env['AWS_ENDPOINT_URL'] = address;
  for (const name of Object.keys(process.env))
    if (name.endsWith('_QUEUE_URL')) process.env[name] = `${address}/0/queue`;
};

/** What a running stack would put in the place of `{{name}}`; nothing of that name is there. */
const fillIn = (name: string): string => {
  if (name === 'now') return new Date().toISOString();
  if (name === 'now_seconds') return String(Math.floor(Date.now() / 1000));
  if (name.endsWith('hash')) return '0'.repeat(32);
  return /(?:alert_id|txid)$/.test(name) ? '1000000000000001' : '1';
};
