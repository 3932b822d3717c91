import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startStack, type TestStack } from '../support/stack.ts';

let service: TestStack;
beforeAll(async () => {
  service = await startStack();
});
afterAll(() => service.stop());

const get = async (path: string) => {
  const response = await fetch(`${service.url}${path}`);
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    policy: response.headers.get('content-security-policy'),
    text: await response.text(),
  };
};

describe('the API document', () => {
  it('serves the document compressed, and not at all to who has it', async () => {
    const url = `${service.url}/openapi.json`;
    const first = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('content-encoding')).toBe('gzip');
    expect(await first.json()).toMatchObject({ openapi: '3.1.0' });
    const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
    expect([plain.headers.get('content-encoding'), plain.headers.get('etag')]).toEqual([null, etag]);
    const again = await fetch(url, { headers: { 'if-none-match': `"other", W/${etag}` } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('is served as it is committed', async () => {
    const { status, type, text } = await get('/openapi.json');
    expect([status, type]).toEqual([200, 'application/json; charset=utf-8']);
    expect(text).toBe(readFileSync('docs/openapi.json', 'utf8'));
  });

  it('has a page that loads everything from its own origin, and may load nothing else', async () => {
    const { status, type, policy, text } = await get('/docs');
    expect([status, type]).toEqual([200, 'text/html; charset=utf-8']);
    expect([...text.matchAll(/(?:src|spec-url)="([^"]+)"/g)].map(([, address]) => address)).toEqual([
      'openapi.json',
      'docs/redoc.js',
    ]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:/);
  });

  it('has its script beside it', async () => {
    const { status, type, text } = await get('/docs/redoc.js');
    expect([status, type]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(text).toContain('ReDoc');
  });
});
