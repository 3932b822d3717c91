import { once } from 'node:events';
import { request as rawRequest } from 'node:http';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { startWebServer } from '#lib/local/gateway/web-server.ts';
import { useServer } from '#test/support/use-server.ts';
import { startTiny } from './tiny-stack.ts';

const echo = 'exports.handler = async (event) => ({ statusCode: 200, body: JSON.stringify(event) });';
const authorizer = `let calls = 0;
exports.handler = async ({ authorizationToken, methodArn }) => {
  calls += 1;
  if (authorizationToken === 'Bearer wrong') throw new Error('Unauthorized');
  if (authorizationToken === 'Bearer broken') throw new Error('boom');
  const Effect = authorizationToken === 'Bearer banned' ? 'Deny' : 'Allow';
  const Resource = methodArn.split('/').slice(0, 2).join('/') + '/*';
  return { principalId: 'one', context: { calls, mid: 7 },
    policyDocument: { Statement: [{ Effect, Action: 'execute-api:Invoke', Resource }] } };
};`;
const routes = {
  'POST /echo': 'echo',
  'POST /things/{id}/details': 'echo',
  'POST /things/list/details': 'exact',
  'POST /slash': 'echo',
  'GET /safe': 'echo',
  'POST /failing': 'failing',
  'POST /odd': 'odd',
  'POST /slow': 'slow',
  'GET /sized': 'sized',
  'GET /health': 'exact',
};

const Echo = v.looseObject({
  body: v.nullable(v.string()),
  requestContext: v.looseObject({
    requestId: v.string(),
    authorizer: v.optional(v.looseObject({ calls: v.string() }), { calls: '' }),
  }),
});
const eventIn = async (reply: Response) => v.parse(Echo, await reply.json());

const code = {
  echo,
  authorizer,
  exact: "exports.handler = async () => ({ statusCode: 201, headers: { 'X-Which': 'exact' }, body: 'exact' });",
  failing: "exports.handler = async () => { throw new Error('secret inside'); };",
  odd: "exports.handler = async () => 'no reply at all';",
  slow: 'exports.handler = () => new Promise(() => {});',
  sized: `exports.handler = async ({ queryStringParameters: { size, coding } }) => ({
    statusCode: 200, headers: coding ? { 'Content-Encoding': coding } : {}, body: 'x'.repeat(Number(size)) });`,
};
const tiny = await useServer(startTiny(code, routes, { secured: ['GET /safe'] }));

const call = (path: string, init: RequestInit = { method: 'POST' }) => fetch(`${tiny.stack.url}${path}`, init);

describe('the address at which the gateway listens', () => {
  // Linux answers at all of 127.0.0.0/8; 127.0.0.2 stands for an address of the network.
  const other = async (bindAddress?: string): Promise<boolean> => {
    const web = await startWebServer(0, { onServed: () => undefined, onFault: () => undefined }, bindAddress);
    const isReached = await fetch(`http://127.0.0.2:${web.port}/`).then(
      () => true,
      () => false,
    );
    await web.close();
    return isReached;
  };

  it('is loopback alone unless another is chosen', async () => {
    expect([await other(), await other('0.0.0.0')]).toEqual([false, true]);
  });
});

describe('the gateway', () => {
  it('answers the health check with 503 and the reason while nothing can be stored, such as on a full disk', async () => {
    const { database } = tiny.stack.state;
    const health = async () => (await call('/health', { method: 'GET' })).status;
    expect(await health()).toBe(201);
    database.exec('PRAGMA query_only = ON');
    const reply = await call('/health', { method: 'GET' });
    expect([reply.status, await reply.json()]).toEqual([
      503,
      { status: 'error', msg: expect.stringContaining('Nothing can be stored: ') },
    ]);
    database.exec('PRAGMA query_only = OFF');
    expect(await health()).toBe(201);
  });

  it.each([
    ['a large reply for a caller that accepts gzip', 1024, 'br, gzip', '', 'gzip'],
    ['no small reply', 1023, 'gzip', '', null],
    ['nothing for a caller that does not name gzip', 4096, '*', '', null],
    ['nothing for a caller that refuses gzip', 4096, 'gzip;q=0, br', '', null],
    ['nothing for a caller that refuses gzip with blanks', 4096, 'gzip ; q=0.0 , br', '', null],
    ['nothing that its function has encoded', 4096, 'gzip', 'identity', 'identity'],
  ])('compresses %s', async (_, size, accepted, coding, encoding) => {
    const reply = await call(`/sized?size=${size}&coding=${coding}`, { headers: { 'accept-encoding': accepted } });
    expect(reply.headers.get('content-encoding')).toBe(encoding);
    expect(await reply.text()).toHaveLength(size);
    expect(Number(reply.headers.get('content-length')) < size).toBe(encoding === 'gzip');
  });

  it('hands a function the event of a REST proxy integration, the body in base64', async () => {
    const reply = await call('/things/a%20b/details?x=1&x=2', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Custom': 'yes', 'X-Local-Client-Subject': 'CN=network' },
      body: '{"ä":1}',
    });
    const event = await eventIn(reply);
    expect(event).toMatchObject({
      resource: '/things/{id}/details',
      path: '/things/a%20b/details',
      httpMethod: 'POST',
      pathParameters: { id: 'a b' },
      queryStringParameters: { x: '2' },
      multiValueQueryStringParameters: { x: ['1', '2'] },
      isBase64Encoded: true,
      requestContext: {
        stage: 'local',
        identity: { sourceIp: '127.0.0.1', clientCert: { subjectDN: 'CN=network' } },
      },
    });
    expect(Buffer.from(event.body ?? '', 'base64').toString()).toBe('{"ä":1}');
    expect(event.requestContext.requestId).toBe(reply.headers.get('x-amzn-requestid'));
  });

  it('prefers a literal segment to a variable', async () => {
    const reply = await call('/things/list/details');
    expect([reply.status, reply.headers.get('x-which'), await reply.text()]).toEqual([201, 'exact', 'exact']);
  });

  it.each([
    ['POST', '/slash/', 200],
    ['POST', '/slash', 200],
    ['POST', '/echo/', 200],
    ['GET', '/echo', 404],
    ['HEAD', '/echo', 404],
    ['POST', '/things//details', 404],
    ['POST', '/nothing', 404],
    ['POST', '/things/%zz/details', 400],
  ])('answers %s %s with %i', async (method, path, status) => {
    const reply = await call(path, { method });
    expect(reply.status).toBe(status);
    if (status !== 200) expect(reply.headers.get('x-request-id')).toBe(reply.headers.get('x-amzn-requestid'));
  });

  it('words its own answers as the definition does', async () => {
    expect(await (await call('/nothing')).json()).toEqual({
      msg: 'Not found',
      details: 'Missing Authentication Token',
    });
  });

  it('asks the authorizer once per token, and hands its context on as text', async () => {
    const get = (token?: string) => call('/safe', { headers: token ? { Authorization: `Bearer ${token}` } : {} });
    expect((await get()).status).toBe(401);
    expect((await get('wrong')).status).toBe(401);
    expect((await get('broken')).status).toBe(500);
    expect((await get('banned')).status).toBe(403);
    const first = await eventIn(await get('good'));
    const second = await eventIn(await get('good'));
    expect(first.requestContext.authorizer).toMatchObject({ principalId: 'one', mid: '7' });
    expect(second.requestContext.authorizer.calls).toBe(first.requestContext.authorizer.calls);
    await tiny.stack.time.moveTo(tiny.stack.clock.now() + 61_000);
    const third = await eventIn(await get('good'));
    expect(third.requestContext.authorizer.calls).not.toBe(first.requestContext.authorizer.calls);
  });

  it.each(['/failing', '/odd'])('answers 502 without its innards when a function fails: %s', async (path) => {
    const reply = await call(path);
    expect([reply.status, await reply.json()]).toEqual([502, { msg: 'Failed', details: 'Internal server error' }]);
  });

  it('gives a function no longer than its own time limit', async () => {
    expect((await call('/slow')).status).toBe(502);
  });

  it('refuses a body over 10 MB, announced or not', async () => {
    const announced = await call('/echo', { method: 'POST', body: Buffer.alloc(10 * 1024 * 1024 + 1) });
    expect(announced.status).toBe(413);
    expect(await announced.json()).toMatchObject({ msg: 'Too large' });
    const chunked = rawRequest(`${tiny.stack.url}/echo`, { method: 'POST' });
    // The gateway may hang up while the rest is still being sent.
    chunked.on('error', () => chunked.destroy());
    for (let megabytes = 0; megabytes < 12; megabytes += 1) chunked.write(Buffer.alloc(1024 * 1024));
    const [response] = await once(chunked, 'response');
    expect(response.statusCode).toBe(413);
    chunked.destroy();
  });
});
