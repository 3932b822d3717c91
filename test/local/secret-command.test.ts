import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { factorContext } from '#accounts/auth/sessions/factor.ts';
import { ssoContext } from '#accounts/auth/single-sign-on/single-sign-on.ts';
import { fromSingleSignOnItem, toSingleSignOnItem } from '#accounts/auth/single-sign-on/single-sign-on-row.ts';
import { devicesContext } from '#accounts/auth/users/device.ts';
import { devicesWrite } from '#accounts/auth/users/device-row.ts';
import { findDevices } from '#accounts/auth/users/device-store.ts';
import { changeUser, createUser, findUser } from '#accounts/auth/users/user-store.ts';
import { secret as secretProgram } from '#bin/commands/secret.ts';
import { open, seal } from '#core/kernel/crypto.ts';
import { readKeyRing } from '#core/kernel/key-ring.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem, transact } from '#core/platform/table/table.ts';
import { keysContext } from '#disputes/connections/connection.ts';
import { fromConnectionsItem } from '#disputes/connections/connection-row.ts';
import { writeEndpoints } from '#lib/local/endpoints.ts';
import { noCounts, sourceContext } from '#payments/orders/source/order-source.ts';
import { orderSourceWrite } from '#payments/orders/source/order-source-row.ts';
import { openShop, type Shop } from '#test/flows/shops.ts';
import type { Result } from '#test/payments/transactions/shop.ts';
import { useCommand } from '#test/support/command.ts';
import { expectNoErrors, formsFor, merchantToken, receive, settings, update } from '#test/support/personas.ts';
import { useStack } from '#test/support/stack.ts';

/** A stage whose key k1 goes, while everything that was sealed or digested with it is still read. */
const service = await useStack({ real: true });
let shop: Shop;
let before: Result;
let connection: Record<string, unknown>;
const card = '5555555555554444';
const command = useCommand('bin/secret.ts');

const saying =
  (run: typeof called) =>
  async (...args: string[]) => {
    const { out, err, status } = await run([...args, '--json'], { dataFolder: service.dataFolder });
    return { status, err, said: out === '' ? {} : JSON.parse(out) };
  };
const called = command.callHere(secretProgram);
/** The commands that need not be programs of their own; one of each kind is one. */
const secret = saying(called);
const runSecret = saying(command);
const ring = () => {
  const id = service.stack.endpoints().environment['ENCRYPTION_SECRET_ID'] ?? '';
  return readKeyRing(service.stack.secrets.value(id));
};
/** A proxy before the table: `seen` is called after each call, and before its answer is passed on. */
const throughProxy = async (seen: (target: string) => void) => {
  const table = service.stack.endpoints().environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';
  const server = createServer(async (incoming, outgoing) => {
    const { authorization = '', 'x-amz-date': date, 'x-amz-target': target } = incoming.headers;
    const type = { 'content-type': 'application/x-amz-json-1.0' };
    const headers = { ...type, authorization, 'x-amz-date': String(date), 'x-amz-target': String(target) };
    const answer = await fetch(table, { method: 'POST', headers, body: await text(incoming) });
    seen(String(target));
    outgoing.writeHead(answer.status, type).end(await answer.text());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
};
const merchantWithoutSite = 4711;
const singleSignOn = {
  ...{ mid: merchantWithoutSite, issuer: 'https://login.example', clientId: 'c', domains: ['shop.example'] },
  ...{
    verifiedClaim: 'email_verified',
    linkByEmail: false,
    roleClaim: 'groups',
    roleValues: { analyst: [], developer: [], manager: [] },
  },
  ...{ defaultRole: null, enabled: true, version: 1 },
};
const rows = async (): Promise<string> => {
  const { mid } = service.credentials.site;
  const places = [
    keys.site(service.credentials.site.sid),
    keys.site(shop.sid),
    keys.siteProcessors(shop.sid),
    keys.connections(mid),
    keys.user('sealed'),
    keys.devices('sealed'),
    keys.singleSignOn(merchantWithoutSite),
  ];
  return JSON.stringify(await Promise.all(places.map((place) => getItem(place))));
};
const pay = (tid: string) => shop.pay('12.00', { tid, card_no: card, card_type: 'MASTERCARD' });

beforeAll(async () => {
  shop = await openShop(service, 'sealed');
  before = await pay('first');
  const credentials = { secret_key: 'sk_test_00000000000000000000000000', webhook_secret: 'whsec_0000000000000000' };
  await shop.routeTo({ processor: 'sandbox' }, { processor: 'stripe', credentials });
  const set = await settings(service, { token: 'what-our-endpoint-wants' });
  expect(set.status, set.text).toBe(200);
  const { mid } = service.credentials.site;
  const made = await service.call(`/api/v3/merchant/${mid}/connections`, {
    token: await merchantToken(service),
    body: {
      connections: [
        { kind: 'nmi', label: 'Ours', credentials: { security_key: 'x'.repeat(32), webhook_key: 'y'.repeat(32) } },
      ],
    },
  });
  expect(made.status, made.text).toBe(200);
  connection = made.body;
  await createUser({ username: 'sealed', password: 'a password of some length', scope: 'merchant', mid });
  const user = await findUser('sealed');
  if (!user) throw new Error('There is no such user');
  const sealed = seal(ring(), factorContext('sealed'), 'JBSWY3DPEHPK3PXP');
  const factor = { sealed, createdAt: user.createdAt, lastStep: 0, recovery: [] };
  await changeUser(user, { ...user, factor });
  const devices = { username: 'sealed', publicKey: 'of-the-pair', list: [] };
  const sealedKey = seal(ring(), devicesContext('sealed'), 'signs-notifications');
  await transact({ devices: [devicesWrite(undefined, { ...devices, sealed: sealedKey })] });
  // A merchant without a site.
  await createUser({
    username: 'no-site',
    password: 'a password of some length',
    scope: 'merchant',
    mid: merchantWithoutSite,
  });
  const { sid } = service.credentials.site;
  const source = {
    kind: 'woocommerce' as const,
    ...{ sid, mid, connection: null, baseUrl: 'https://shop.example', shownKey: null },
    ...{ sealed: seal(ring(), sourceContext(sid), 'of-the-shop'), position: { after: user.createdAt, page: null } },
    ...{ nextAt: null, lastRunAt: null, recordedAt: user.createdAt, counts: noCounts, leftOut: [], lastRefusal: null },
    ...{ retries: [], contradiction: null, recheck: { position: null, dueAt: null } },
    ...{ trouble: null, failures: 0, silences: {}, version: 1 },
  };
  await transact({ source: orderSourceWrite(undefined, source) });
  const client_secret = seal(ring(), ssoContext(merchantWithoutSite), 'of-the-client');
  await putItem(toSingleSignOnItem({ ...singleSignOn, sealed: client_secret }));
});

describe('npm run secret', () => {
  it('adds a key, and makes it the current one when all functions know it', async () => {
    expect((await runSecret('rotate')).said).toEqual({ current: 'k1', added: 'k2' });
    const early = await runSecret('rotate');
    expect([early.status, early.err]).toEqual([1, expect.stringContaining('wait 10 minutes more')]);
    await service.clock.advance('PT11M');
    expect((await secret('rotate')).said).toEqual({ current: 'k2', added: null });
    await service.clock.advance('PT11M');
  });

  it('keeps a key as long as something is sealed with it', async () => {
    expect((await secret('retire', 'k2')).err).toContain('k2 is the current key');
    expect((await secret('retire', 'k9')).err).toContain('no key k9');
    expect((await secret('retire', 'k1')).err).toContain('only recently');
    const refused = await secret('retire', 'k1', '--now');
    expect([refused.status, refused.err]).toEqual([1, expect.stringMatching(/\d+ values are still sealed with k1/)]);
    expect(Object.keys(ring().keys)).toEqual(['k1', 'k2']);
  });

  it('killed while it reseals everything leaves each row whole, sealed with one key or the other', async () => {
    const cut = new AbortController();
    let updates = 0;
    const killedAtSecondUpdate = await throughProxy((target) => {
      if (target.endsWith('.UpdateItem') && ++updates === 2) cut.abort();
    });
    const folder = mkdtempSync(join(tmpdir(), 'forewarn-killed-'));
    const endpoints = service.stack.endpoints();
    const environment = { ...endpoints.environment, AWS_ENDPOINT_URL_DYNAMODB: killedAtSecondUpdate.url };
    writeEndpoints(folder, { ...endpoints, environment });
    const { status, out, err } = await command(['reseal', '--json'], { dataFolder: folder, signal: cut.signal });
    await killedAtSecondUpdate[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
    expect([status, out, updates], err).toEqual([null, '', 2]);
    const { sealed } = (await secret('show')).said;
    expect([sealed.k1 > 0, sealed.k2 > 0]).toEqual([true, true]);
  });

  it('reseals everything, once, and continues where it was killed', async () => {
    expect(await rows()).toMatch(/"k1\./);
    const { sealed } = (await secret('show')).said;
    const { said } = await runSecret('reseal');
    expect(said).toEqual({ key: 'k2', read: sealed.k1 + sealed.k2, resealed: sealed.k1, changed_meanwhile: 0 });
    expect(said.read).toBeGreaterThan(8);
    expect(await rows()).not.toMatch(/"k1\./);
    expect((await secret('reseal')).said).toMatchObject({ resealed: 0, read: said.read });
    const { said: shown } = await runSecret('show');
    expect(shown).toEqual({ current: 'k2', keys: ['k1', 'k2'], retired: [], sealed: { k2: said.read } });
  });

  it('lets the old key go', async () => {
    await service.clock.advance('P2D');
    expect((await runSecret('retire', 'k1')).said).toEqual({ retired: 'k1' });
    expect(Object.keys(ring().keys)).toEqual(['k2']);
    expect(Object.keys(ring().retired?.['k1'] ?? {})).toEqual(['card', 'order', 'sandbox']);
  });
});

describe('without the key that everything was made with', () => {
  it('rcodes, signing secrets and tokens are read', async () => {
    const alertId = await receive(service);
    expect(formsFor(service, alertId)).toHaveLength(1);
    const [sent] = service.sinks.got('demo').slice(-1);
    expect(sent?.headers).toMatchObject({ authorization: 'Bearer what-our-endpoint-wants' });
    expect(
      (await update(service, { alert_id: String(alertId), status: 'RESOLVED', reason_code: '100.001' })).status,
    ).toBe(200);
    expect((await shop.statusOf(before.txid)).status).toBe('OK');
  });

  it('a payment is known, given back, and found by its card', async () => {
    expect((await pay('first')).txid).toBe(before.txid);
    const refunded = await shop.refund(before.txid, '2.00');
    expect([refunded.status, refunded.body['status']]).toEqual([200, 'OK']);
    const later = await pay('second');
    const found = await service.call('/api/v3/cardtransactions', {
      token: await merchantToken(service),
      body: { card_no: card },
    });
    const txids = JSON.stringify(found.body);
    expect(txids).toContain(String(before.txid));
    expect(txids).toContain(String(later.txid));
  });

  it('credentials and second factors are read', async () => {
    const { mid } = service.credentials.site;
    const [{ id }] = connection['connections'] as [{ id: string }];
    const { list } = fromConnectionsItem(await getItem(keys.connections(mid)));
    expect(JSON.parse(open(ring(), keysContext(mid, id), list[0]?.sealed ?? ''))).toMatchObject({
      security_key: 'x'.repeat(32),
    });
    const user = await findUser('sealed');
    expect(open(ring(), factorContext('sealed'), user?.factor?.sealed ?? '')).toBe('JBSWY3DPEHPK3PXP');
    const devices = await findDevices('sealed');
    expect(open(ring(), devicesContext('sealed'), devices?.sealed ?? '')).toBe('signs-notifications');
    const settingsRow = fromSingleSignOnItem(await getItem(keys.singleSignOn(merchantWithoutSite)));
    expect(open(ring(), ssoContext(merchantWithoutSite), settingsRow?.sealed ?? '')).toBe('of-the-client');
  });

  it('nothing failed', () => expectNoErrors(service));
});
