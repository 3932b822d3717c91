import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { framePolicy } from '#payments/threeds/payer/frame-pages.ts';
import { toBase64Url } from '#payments/threeds/server/base64url.ts';
import { useStack } from '#test/support/stack.ts';
import { transId } from './samples.ts';

const service = await useStack();

const get = (path: string) => service.call(path, { method: 'GET' });
const post = (path: string, fields: Record<string, string>) =>
  service.call(path, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

describe('the SDK', () => {
  it.each([
    ['/sdk/3ds/v1.mjs', 'text/javascript'],
    ['/sdk/3ds/v1.js', 'text/javascript'],
    ['/sdk/3ds/v1.d.ts', 'text/plain'],
    ['/sdk/3ds/integrity.json', 'application/json'],
  ])('is at %s', async (path, type) => {
    const { status, headers } = await get(path);
    expect([status, headers.get('content-type'), headers.get('access-control-allow-origin')]).toEqual([
      200,
      `${type}; charset=utf-8`,
      '*',
    ]);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
  });

  it('has the hashes that it says', async () => {
    const { body } = await get('/sdk/3ds/integrity.json');
    const { latest, versions } = body as { latest: string; versions: Record<string, Record<string, string>> };
    for (const [name, hash] of Object.entries(versions[latest] ?? {})) {
      const { text, headers } = await get(`/sdk/3ds/${name}`);
      expect(`sha384-${createHash('sha384').update(text).digest('base64')}`, name).toBe(hash);
      expect(headers.get('cache-control')).toContain('immutable');
    }
    expect((await get('/sdk/3ds/9.9.9.mjs')).status).toBe(404);
  });
});

const local = 'https: http://127.0.0.1:* http://localhost:*';

describe('the frames', () => {
  it('open nothing but an issuer, and say nothing of anybody', async () => {
    const pages = [
      await get('/3ds/frame'),
      await post('/3ds/method', { threeDSMethodData: toBase64Url({ threeDSServerTransID: transId }) }),
      await post('/3ds/challenge', { cres: toBase64Url({ threeDSServerTransID: transId, acsTransID: transId }) }),
      await post('/3ds/challenge', { cres: 'x' }),
    ];
    for (const { status, headers, text } of pages) {
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(headers.get('content-security-policy')).toBe(
        `default-src 'none'; script-src 'self'; connect-src 'self'; frame-src ${local}; form-action ${local}; ` +
          `frame-ancestors ${local}; base-uri 'none'`,
      );
      expect(text).not.toContain(transId);
    }
    expect(new Set(pages.slice(1).map(({ text }) => text)).size).toBe(1);
  });

  it('open nothing over plain http where the stack is not a local one', () => {
    expect(framePolicy(false)).toBe(
      "default-src 'none'; script-src 'self'; connect-src 'self'; frame-src https:; form-action https:; " +
        "frame-ancestors https:; base-uri 'none'",
    );
  });

  it.each(['/3ds/frame.js', '/3ds/return.js', '/sandbox/acs/acs.js', '/sandbox/shop.js'])(
    'have their script at %s',
    async (path) => {
      const { status, headers, text } = await get(path);
      expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
      expect(text).not.toBe('');
    },
  );
});

describe('the pages of the sandbox’s issuers', () => {
  const data = (url: string) => toBase64Url({ threeDSServerTransID: transId, threeDSMethodNotificationURL: url });

  it('send the method back to this service, and to no other', async () => {
    const own = `${service.url}/3ds/method`;
    const ours = await post('/sandbox/acs/method', { threeDSMethodData: data(own) });
    expect([ours.status, ours.text.includes(`action="${own}" data-post`)]).toEqual([200, true]);
    expect(ours.headers.get('content-security-policy')).toContain("form-action 'self'");
    for (const url of ['https://evil.example/3ds/method', 'javascript:alert(1)', `${own}?x`]) {
      expect((await post('/sandbox/acs/method', { threeDSMethodData: data(url) })).text).not.toContain('<form');
    }
    expect((await post('/sandbox/acs/method?silent=1', { threeDSMethodData: data(own) })).text).not.toContain('<form');
  });

  it.each(['/sandbox/acs/challenge', '/sandbox/acs/answer'])(
    '%s knows only challenges that there are',
    async (path) => {
      for (const creq of ['x', toBase64Url({ threeDSServerTransID: transId, acsTransID: transId })]) {
        const { status, headers } = await post(path, { creq, action: 'confirm' });
        expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      }
    },
  );
});

it('goes by without a complaint of the stack', () => expect(service.problems).toEqual([]));
