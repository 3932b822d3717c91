import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { parseJson } from '#core/platform/http/json.ts';
import { callGuarded } from '#core/platform/post/guarded-call-client.ts';

const rules = { allowLoopbackHttp: true, extraPorts: [] };

const callOnce = async (listener: RequestListener, timeoutMilliseconds = 60_000) => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const url = `http://127.0.0.1:${port}/`;
    return await callGuarded({ url, headers: {} }, rules, { timeoutMilliseconds, maxBytes: 1000 });
  } finally {
    server.closeAllConnections();
    server.close();
  }
};

it.each<[string, RequestListener, number, object]>([
  [
    'too long',
    (_, response) => response.end('x'.repeat(5000)),
    60_000,
    { failure: 'lost', detail: 'the answer is longer than 1000 bytes' },
  ],
  [
    'too long and endless',
    (_, response) => void response.write('x'.repeat(5000)),
    60_000,
    { failure: 'lost', detail: 'the answer is longer than 1000 bytes' },
  ],
  ['too slow', () => undefined, 50, { failure: 'lost', detail: 'no answer in time' }],
  [
    'too slow after its beginning',
    (_, response) => void response.write('{'),
    50,
    { failure: 'lost', detail: 'no answer in time' },
  ],
  [
    'broken off',
    (_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{', () => response.socket?.destroy());
    },
    60_000,
    { failure: 'lost', detail: 'the answer broke off' },
  ],
  ['whole', (_, response) => response.end('{}'), 60_000, { status: 200, text: '{}' }],
])('names an answer that is %s as such', async (_, listener, timeoutMilliseconds, expected) => {
  expect(await callOnce(listener, timeoutMilliseconds)).toMatchObject(expected);
});

it('names a refused connection apart from an answer', async () => {
  const call = { url: 'http://127.0.0.1:1/', headers: {} };
  expect(await callGuarded(call, rules, { timeoutMilliseconds: 60_000, maxBytes: 1000 })).toMatchObject({
    failure: 'unsent',
  });
});

it.each([
  ['a byte order mark', '\ufeff{"a":1}', { a: 1 }],
  ['a comment of a cache', '[1]\n<!-- cached -->\n', [1]],
  ['both', '\ufeff[1]<!-- a --><!-- b -->', [1]],
  ['a comment in a text', '{"a":"<!-- b -->"}', { a: '<!-- b -->' }],
  ['HTML before it', '<br />\n<b>Notice</b>{"a":1}', undefined],
  ['bytes of gzip', gzipSync('{}').toString(), undefined],
])('reads JSON from outside with %s', (_, text, expected) => expect(parseJson(text)).toEqual(expected));
