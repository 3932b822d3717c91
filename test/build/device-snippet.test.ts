import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import vm from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildDeviceSnippet, deviceFolder, sriHash } from '#lib/build/sdk.ts';
import { readDeviceToken } from '#payments/orders/device/device-token.ts';
import { orderContent } from '#payments/orders/order.ts';
import { deviceVersions, sdkAssets, sdkHeaders } from '#payments/threeds/payer/sdk-files.ts';
import { sentOrder } from '#test/payments/orders/samples.ts';

/** The device snippet in a browser of a shop, and the token that it makes. */

let script = '';
beforeAll(async () => {
  script = (await buildDeviceSnippet(process.cwd())).contents;
});

type Snippet = { token(reference?: string): Promise<string>; forget(): void; fill(): Promise<void> };
type Browser = {
  storage?: Map<string, string> | null;
  isSecure?: boolean;
  fields?: { value: string; dataset: object }[];
  userAgent?: string;
};

/** Runs the snippet with a browser's objects. `storage` null: the browser refuses it. */
const run = ({
  storage = new Map(),
  isSecure = true,
  fields = [],
  userAgent = 'Browser Ünder Test',
}: Browser = {}): Snippet => {
  const kept = {
    getItem: (name: string) => storage?.get(name) ?? null,
    setItem: (name: string, value: string) => void storage?.set(name, value),
    removeItem: (name: string) => void storage?.delete(name),
  };
  const refused = new Proxy(
    {},
    {
      get: () => () => {
        throw new Error('SecurityError');
      },
    },
  );
  const globals: Record<string, unknown> = {
    ...{ Intl, Math, JSON, TextEncoder, Uint8Array, String, btoa, Object, Promise },
    localStorage: storage ? kept : refused,
    crypto: { randomUUID: () => crypto.randomUUID(), ...(isSecure && { subtle: crypto.subtle }) },
    navigator: {
      platform: 'Linux',
      languages: ['de', 'en'],
      hardwareConcurrency: 8,
      maxTouchPoints: 0,
      userAgent,
    },
    screen: { width: 1920, height: 1080, colorDepth: 24 },
    document: { readyState: 'complete', querySelectorAll: () => fields, addEventListener: () => undefined },
  };
  globals['globalThis'] = globals;
  vm.runInNewContext(script, globals);
  return globals['forewarnDevice'] as Snippet;
};

describe('the device snippet', () => {
  it('has in the docs the hash of what is served', async () => {
    const served = await readFile(join(deviceFolder, 'released', `${deviceVersions[0]}.device.js`), 'utf8');
    expect(await readFile('docs/orders.md', 'utf8')).toContain(sriHash(served));
  });

  it('has at most 3 KB, sets no cookie, loads and sends nothing, and draws no picture of the browser', () => {
    expect(Buffer.byteLength(script)).toBeLessThanOrEqual(3 * 1024);
    expect(script).not.toMatch(
      /cookie|fetch|XMLHttp|sendBeacon|import\s*\(|eval|canvas|AudioContext|WebGL|plugins|indexedDB/,
    );
  });

  it('is served as built from its source, permanently by its version; after a change, raise its version', async () => {
    const [latest] = deviceVersions;
    expect(await readFile(join(deviceFolder, 'released', `${latest}.device.js`), 'utf8')).toBe(script);
    expect(sdkAssets['device.js']).toBe(`lib/sdk/device/released/${latest}.device.js`);
    expect([sdkHeaders('device.js'), sdkHeaders(`${latest}.device.js`)]).toMatchObject([
      { 'cache-control': 'public, max-age=300', 'content-type': expect.stringContaining('javascript') },
      { 'cache-control': expect.stringContaining('immutable') },
    ]);
  });

  it('names the same device each time, another one elsewhere, and a new one after it was forgotten', async () => {
    const storage = new Map<string, string>();
    const idOf = async (snippet: Snippet) =>
      (readDeviceToken(await snippet.token(), null) as { device_id?: string }).device_id;
    const first = await idOf(run({ storage }));
    expect(first).toMatch(/^[\da-f-]{36}$/);
    expect([await idOf(run({ storage })), storage.size]).toEqual([first, 1]);
    expect(await idOf(run())).not.toBe(first);
    const again = run({ storage });
    again.forget();
    expect(storage.size).toBe(0);
    expect(await idOf(again)).not.toBe(first);
  });

  it.each([
    [
      'whose storage is refused has no identifier, as it would not stay',
      { storage: null },
      { device_fingerprint: expect.stringMatching(/^[\da-f]{64}$/) },
    ],
    ['without HTTPS has no fingerprint', { isSecure: false }, { device_id: expect.any(String) }],
  ])('in a browser %s', async (_, browser, expected) => {
    expect(readDeviceToken(await run(browser).token(), null)).toEqual({
      ...expected,
      user_agent: 'Browser Ünder Test',
    });
  });

  it.each(['4111 1111 1111 1111', 'Browser\n\u0000', 'Browser \u202eX'])(
    'whose browser is named %j is read without that name',
    async (userAgent) => {
      const read = readDeviceToken(await run({ userAgent }).token(), null);
      expect(read).toEqual({ device_id: expect.any(String), device_fingerprint: expect.any(String) });
    },
  );

  it('fills in hidden fields, each with the token of the order that it names', async () => {
    const fields = [
      { value: '', dataset: { forewarnDevice: 'ORDER-17' } },
      { value: '', dataset: { forewarnDevice: '' } },
    ];
    await run({ fields }).fill();
    expect(readDeviceToken(fields[0]?.value ?? '', 'ORDER-17')).toMatchObject({ device_id: expect.any(String) });
    expect(readDeviceToken(fields[0]?.value ?? '', 'ORDER-18')).toBe('is of another order');
    expect(readDeviceToken(fields[1]?.value ?? '', 'ORDER-18')).toMatchObject({ device_id: expect.any(String) });
  });
});

describe('an order with a device token', () => {
  const now = '2026-05-02T12:00:00.000Z';
  const order = (device: object) =>
    orderContent({ ...(sentOrder() as Parameters<typeof orderContent>[0]), device } as never, now);

  it('keeps the device of the token, except where its own fields state it, and not the token', async () => {
    const token = await run().token();
    const content = order({ device_token: token, user_agent: 'Stated by the shop', ip: '203.0.113.7' });
    expect(content).toMatchObject({
      device: { ...(readDeviceToken(token, null) as object), user_agent: 'Stated by the shop', ip: '203.0.113.7' },
    });
    expect(JSON.stringify(content)).not.toContain('fwd1');
  });

  it.each([
    ['is cut off', (token: string) => token.slice(0, -1), 'no whole token'],
    ['was changed', (token: string) => token.replace('fwd1.ey', 'fwd1.fy'), 'no whole token'],
    ['is of another kind', () => 'anything', 'no whole token'],
    ['holds something else', () => 'fwd1.e30.7f5c1f9a', 'no whole token'],
  ])('is refused where the token %s', async (_, change, words) => {
    expect(order({ device_token: change(await run().token()) })).toEqual([expect.stringContaining(words)]);
  });

  it('is refused where the token is of another order', async () => {
    expect(order({ device_token: await run().token('ANOTHER') })).toEqual(['device.device_token: is of another order']);
  });
});
