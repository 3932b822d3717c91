import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withCodeSamples } from '#accounts/documents/code-samples.ts';
import { explainedCodes } from '#accounts/documents/error-help.ts';
import { escapeHtml } from '#core/kernel/html.ts';
import { gatewayRefusals, refusals } from '#core/platform/operation/errors.ts';
import { useStack } from '#test/support/stack.ts';
import { getPage } from './get-page.ts';

const service = await useStack();

const get = (path: string) => getPage(`${service.url}${path}`);

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

  it('is served as it is committed, with samples of each call', async () => {
    const { status, type, text } = await get('/openapi.json');
    expect([status, type]).toEqual([200, 'application/json; charset=utf-8']);
    expect(text).toBe(withCodeSamples(readFileSync('docs/openapi.json', 'utf8')));
  });

  it.each(explainedCodes)('has a page for the code %s, which says what to do', async (code) => {
    const { status, type, policy, text } = await get(`/errors/${code}`);
    expect([status, type]).toEqual([200, 'text/html; charset=utf-8']);
    expect(policy).toContain("default-src 'none'");
    const { status: travels, msg } = { ...refusals, ...gatewayRefusals }[code];
    expect(text).toContain(`HTTP ${travels} · <code>${code}</code>`);
    expect(text).toContain(escapeHtml(msg));
    expect(text).toMatch(/<\/h1>\n<p>.{10,}<\/p>/);
  });

  it('has none for what is no code', async () => {
    for (const code of ['no_such_code', 'toString', '__proto__', '%3Cb%3E']) {
      const { status, text } = await get(`/errors/${code}`);
      expect([code, status]).toEqual([code, 404]);
      expect(text).not.toContain('<b>');
    }
  });
});
