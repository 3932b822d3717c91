import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { securityHeaders } from '#core/platform/http/security-headers.ts';
import { operations } from '#functions/operations.ts';
import { useStack } from '#test/support/stack.ts';

const service = await useStack();
let token: string;
beforeAll(async () => {
  token = await service.tokenOf('admin');
});

const fillPath = (path: string) => path.replace(/\{\w+\}/g, '1');
const isGuarded = ({ auth }: { auth: string }) => auth === 'bearer' || auth === 'admin';

/** Each path once, with what it takes. */
const paths = [
  ...Map.groupBy(
    operations.flatMap(({ path, aliases = [], method }) => [path, ...aliases].map((one) => ({ path: one, method }))),
    ({ path }) => path,
  ),
].map(([path, own]) => ({ path, methods: own.map(({ method }) => method) }));
const allowHeader = (methods: readonly string[]) =>
  methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).sort();
const Refused = v.looseObject({ details: v.optional(v.string(), ''), doc: v.optional(v.string(), '') });

/** Calls with an `authorization` header as it is given. */
const callWith = async (authorization?: string) => {
  const response = await fetch(`${service.url}/api/v3/site/list`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) },
    body: '{}',
  });
  return { status: response.status, ...v.parse(Refused, await response.json()) };
};

describe('a token that is refused', () => {
  it.each([
    ['missing', undefined],
    ['another scheme', 'Basic ZGVtbzpkZW1v'],
    ['no token', 'Bearer'],
    ['not three parts', 'Bearer abc'],
  ])('is told so where it is %s', async (_, authorization) => {
    expect(await callWith(authorization)).toEqual({
      status: 401,
      msg: 'Unauthorized',
      details: expect.stringContaining('three parts joined by dots'),
      code: 'unauthenticated',
      doc: '/errors/unauthenticated',
    });
  });

  it("returns that it was changed, or has ended, with the server's time", async () => {
    const own = await service.tokenOf('merchant');
    expect(await callWith(`Bearer ${own.slice(0, -6)}AAAAAA`)).toMatchObject({
      ...{ status: 401, code: 'unauthenticated', doc: '/errors/unauthenticated' },
      details: expect.stringContaining('not a valid token'),
    });
    expect(await callWith(`Bearer ${own}`)).toMatchObject({ status: 200 });
    await service.clock.advance('PT1H1M');
    const { details, ...rest } = await callWith(`Bearer ${own}`);
    expect(rest).toEqual({
      status: 401,
      msg: 'The token has expired',
      code: 'token_expired',
      doc: '/errors/token_expired',
    });
    const [, ended = '', here = ''] = /^It expired at (\S+); the time here is (\S+)\.$/.exec(details) ?? [];
    expect(Date.parse(here) - Date.parse(ended)).toBeGreaterThanOrEqual(60_000);
    expect(Math.abs(Date.parse(here) - service.clock.now().getTime())).toBeLessThan(60_000);
    const page = await fetch(`${service.url}${rest.doc}`);
    expect(await page.text()).toContain('A token expires after an hour:');
    token = await service.tokenOf('admin');
  });
});

it("a signature that is too old, or wrong, is answered with the server's time", async () => {
  await service.clock.advance('PT6H');
  const { status, body } = await service.call('/api/v3/providers/provider_a/alerts', {
    body: {},
    headers: { 'x-signature': `t=${Math.floor(Date.now() / 1000)},v1=00` },
  });
  const [, seconds = ''] = /it is now (\d+)\.$/.exec(String(body['details'])) ?? [];
  expect([status, body['code']]).toEqual([401, 'signature_invalid']);
  expect(Math.abs(Number(seconds) - service.clock.now().getTime() / 1000)).toBeLessThan(60);
  token = await service.tokenOf('admin');
});

describe('through the gateway', () => {
  it.each(paths)(
    '$path refuses a method that it does not take, and names those that it does',
    async ({ path, methods }) => {
      for (const method of ['DELETE', 'OPTIONS', ...(methods.includes('GET') ? [] : ['GET', 'HEAD'])]) {
        // The local stack itself leads whoever opens its bare address to the dashboard.
        if (path === '/' && method !== 'DELETE') continue;
        const { status, headers, body, text } = await service.call(fillPath(path), { method });
        expect([status, headers.get('allow')?.split(', ').sort()]).toEqual([405, allowHeader(methods)]);
        expect(headers.get('x-request-id')).toBeTruthy();
        if (method === 'HEAD') expect(text).toBe('');
        else if (!text.startsWith('<')) expect(body['code'] ?? body['error_code']).toBe('method_not_allowed');
      }
    },
  );

  it.each(paths.filter(({ path, methods }) => methods.includes('GET') && path !== '/'))(
    'HEAD $path is answered like GET, without a body',
    async ({ path }) => {
      const [got, head] = await Promise.all(
        // Not compressed: the gateway could compress the body of one only.
        ['GET', 'HEAD'].map((method) =>
          service.call(fillPath(path), { method, headers: { accept: '*/*', 'accept-encoding': 'identity' } }),
        ),
      );
      const told = (headers: Headers | undefined) =>
        [...(headers ?? [])].filter(([name]) =>
          /^(content-(type|encoding|security)|etag|cache|vary|x-content)/.test(name),
        );
      expect([head?.status, told(head?.headers)]).toEqual([got?.status, told(got?.headers)]);
      expect(head?.text).toBe('');
      expect(got?.text).not.toBe('');
    },
  );

  it.each([
    ['no route', '/nowhere', {}],
    ['no token', '/api/v3/alerts/list', {}],
    ['too long a body', '/api/v2/index.php/gettoken', { body: 'x'.repeat(11_000_000) }],
    ['a refusal of a function', '/api/v2/index.php/gettoken', { body: {} }],
  ])('%s is told to browsers with the same care', async (_, path, request) => {
    const { status, headers } = await service.call(path, request);
    expect(status).toBeGreaterThanOrEqual(400);
    for (const [name, value] of Object.entries(securityHeaders)) expect(headers.get(name)).toBe(value);
  });

  it('leads from each refusal of a function to the page of its code', async () => {
    const { body } = await service.call('/api/v2/index.php/gettoken', { body: {} });
    expect(body).toMatchObject({ code: 'request_invalid', doc: '/errors/request_invalid' });
    const payment = await service.call('/api/v1/index.php/1/singletx', { body: {} });
    expect(payment.body).toMatchObject({ status: 'EXC', doc: `/errors/${payment.body['error_code']}` });
  });

  it.each(operations.filter(isGuarded))('$area/$name refuses calls without a token', async ({ path, method }) => {
    const { status, body, headers } = await service.call(fillPath(path), { method, body: {} });
    expect([status, body['msg']]).toEqual([401, 'Unauthorized']);
    expect(headers.get('x-request-id')).toBeTruthy();
  });

  it.each(operations.filter((one) => isGuarded(one) && one.body))(
    '$area/$name refuses half a body',
    async ({ path }) => {
      const { status, body, headers } = await service.call(fillPath(path), { token, body: '{"half":' });
      expect(status).toBe(400);
      expect(body['details']).toContain('is not valid JSON');
      expect(headers.get('x-request-id')).toBeTruthy();
    },
  );
});
