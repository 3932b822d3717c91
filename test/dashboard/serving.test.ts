import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codingFor, typeOfFile } from '#accounts/dashboard/serving.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';

describe('the coding of a file', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['GZIP ; Q=0.1', 'gzip'],
    ['br;q=nonsense', 'identity'],
  ])('for accept-encoding %j is %s', (header, coding) => expect(codingFor(header)).toBe(coding));
});

describe('a name', () => {
  it.each(['main.js', 'main-ABCD1234.html', '../main-ABCD1234.js', 'main-ABCD1234.js.br', 'index.html', ''])(
    'such as %j is none of a file',
    (name) => expect(typeOfFile(name)).toBeUndefined(),
  );
  it('such as main-ABCD1234.js is', () => expect(typeOfFile('main-ABCD1234.js')).toMatch(/^text\/javascript/));
});

describe('the dashboard', () => {
  let service: TestStack;
  beforeAll(async () => {
    service = await startStack({ withDemo: false });
  });
  afterAll(() => service.stop());

  /** As the wire has it: fetch would unpack the bytes. */
  const get = (path: string, acceptEncoding = 'identity') =>
    fetch(`${service.url}${path}`, { headers: { 'accept-encoding': acceptEncoding }, redirect: 'manual' });
  const filesOf = async () => {
    const html = await (await get('/dashboard')).text();
    return [...html.matchAll(/(?:src|href)="(dashboard\/[^"]+\.(?:js|css))"/g)].map(([, file]) => `/${file}`);
  };

  it('is a page that may run its own scripts only, and is not cached', async () => {
    const { status, headers } = await get('/dashboard');
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
        "manifest-src 'self'; connect-src 'self' " +
        `${service.stack.objectsUrl}; ` +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types push-worker",
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(headers.get('strict-transport-security')).toContain('max-age=');
    expect(headers.get('permissions-policy')).toContain('camera=()');
  });

  it('has files that are kept for ever, compressed as the browser takes them', async () => {
    const files = await filesOf();
    expect(files.length).toBeGreaterThanOrEqual(2);
    const bytes = { plain: 0, br: 0, gzip: 0 };
    for (const file of files) {
      const plain = await get(file);
      expect(plain.status).toBe(200);
      expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(plain.headers.get('vary')).toBe('accept-encoding');
      expect(plain.headers.get('content-encoding')).toBeNull();
      expect(plain.headers.get('content-type')).toMatch(file.endsWith('.js') ? /^text\/javascript/ : /^text\/css/);
      const text = await plain.text();
      bytes.plain += text.length;
      for (const coding of ['br', 'gzip'] as const) {
        const packed = await get(file, coding);
        expect(packed.headers.get('content-encoding')).toBe(coding);
        bytes[coding] += Number(packed.headers.get('content-length'));
        // Node's fetch has unpacked it already: it is the same text.
        expect(await packed.text()).toBe(text);
      }
    }
    // All together: the script that begins is too short to become shorter.
    expect(Math.max(bytes.br, bytes.gzip)).toBeLessThan(bytes.plain / 2);
  });

  it.each([
    ['push-worker.js', 'text/javascript; charset=utf-8'],
    ['forewarn.webmanifest', 'application/manifest+json'],
  ])('has %s under a lasting name, of which browsers ask each time', async (name, type) => {
    const { status, headers } = await get(`/dashboard/${name}`);
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([200, type, 'no-cache']);
  });

  it.each(['/dashboard/main-AAAAAAAA.js', '/dashboard/index.html', '/dashboard/..%2Findex.js', '/dashboard/%00'])(
    'has no %s',
    async (path) => {
      const reply = await get(path);
      expect(reply.status).toBe(404);
      expect(await reply.json()).toMatchObject({ msg: 'No such page' });
    },
  );

  it('is where the address of the local stack leads', async () => {
    const { status, headers } = await get('/');
    expect([status, headers.get('location')]).toEqual([302, '/dashboard']);
  });
});
