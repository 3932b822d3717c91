import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { open } from '#core/kernel/crypto.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem } from '#core/platform/table/table.ts';
import { loadConnectedProcessor } from '#disputes/connections/connected-processor-registry-client.ts';
import { connectionOfId, connectionsFor, keysContext } from '#disputes/connections/connection.ts';
import { fromConnectionsItem, toConnectionsItem } from '#disputes/connections/connection-row.ts';
import { readConnections } from '#disputes/connections/connection-store.ts';
import { newTenant, setAlert, type Tenant } from '#test/accounts/merchants/tenant.ts';
import { startFakeBraintree } from '#test/support/fake-braintree.ts';
import { startFakeNmi } from '#test/support/fake-nmi.ts';
import { startFakeStripe } from '#test/support/fake-stripe.ts';
import { ask, beforeTransactions, expectDeclared, useOperations } from '#test/support/operations.ts';
import { replaceConnections } from '#test/support/replace-connections.ts';

useOperations();
const variables = ['ALLOW_SANDBOX', 'ALLOW_LOOPBACK_HTTP'];
beforeAll(() => {
  for (const name of variables) process.env[name] = 'true';
});
afterAll(() => {
  for (const name of variables) delete process.env[name];
});

const stripe = { kind: 'stripe', label: 'The shop', credentials: { secret_key: 'rk_live_secretsecretABCD' } };
const nmi = { kind: 'nmi', label: 'The other', credentials: { security_key: '6457Thfj624V5r7WUwc5v6a68ZsdWXYZ' } };
const braintree = {
  kind: 'braintree',
  label: 'Old shop',
  credentials: { public_key: 'ymtqgy8773zq2fw3', private_key: '7dd7253c4c53d675f15esecretsecret', environment: 'test' },
};
const sandbox = { kind: 'sandbox', label: 'Trial' };

type Shown = { id: string; kind: string; label: string; active: boolean; sids: number[] | null; credentials: object };
let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
  await setAlert(tenant, {});
});

const set = (connections: unknown, as = tenant.as) => replaceConnections({ mid: tenant.mid, as }, connections);
const setAll = async (...connections: object[]): Promise<Shown[]> => {
  const { status, body } = await set(connections);
  expect({ status, body }).toMatchObject({ status: 200, body: { status: 'ok', mid: tenant.mid } });
  return (body as { connections: Shown[] }).connections;
};
const setFirst = async (connection: object): Promise<string> => (await setAll(connection))[0]?.id ?? '';
const details = async () =>
  (await ask('connections/connection-details', { as: tenant.as, params: { mid: tenant.mid } })).body as {
    connections: Shown[];
    retired: Shown[];
  };
const problem = async (...connections: unknown[]): Promise<unknown> => {
  const { status, body } = await set(connections);
  expect(status).toBe(400);
  return (body as { details: string }).details;
};

describe('setting connections', () => {
  it('keeps them in order, and shows whose they are and nothing that lets anybody use them', async () => {
    const set = await setAll(stripe, nmi, braintree, sandbox);
    expect(set).toMatchObject([
      { kind: 'stripe', credentials: { secret_key: '…ABCD', environment: 'live' }, active: true, sids: null },
      { kind: 'nmi', credentials: { security_key: '…WXYZ', environment: 'live' } },
      { kind: 'braintree', credentials: { public_key: 'ymtqgy8773zq2fw3', environment: 'test' } },
      { kind: 'sandbox', label: 'Trial', credentials: {} },
    ]);
    const connections = set.map((one) => ({ ...one, failing_since: null }));
    expect(await details()).toEqual({ mid: tenant.mid, version: 1, connections, retired: [], sign_ins: [] });
    expect(new Set(set.map(({ id }) => id)).size).toBe(4);
  });

  it('names both of two connections with one name in the audit log', async () => {
    const [first] = await setAll(sandbox, { ...sandbox, active: false });
    await setAll({ ...sandbox, id: first?.id });
    const { body } = await ask('auth/list-audit', { as: tenant.as, body: { size: 1 } });
    const [{ changes } = { changes: [] }] = (body as { list: { changes: { before: unknown; after: unknown }[] }[] })
      .list;
    expect(changes.map(({ before, after }) => [before, after])).toEqual([
      ['sandbox', null],
      [false, null],
    ]);
  });

  it('keeps credentials sealed to their merchant and connection', async () => {
    const id = await setFirst(nmi);
    const item = await getItem(keys.connections(tenant.mid));
    expect(JSON.stringify(item)).not.toContain('6457Thfj');
    const sealed = fromConnectionsItem(item).list[0]?.sealed ?? '';
    const ring = await keyRing('encryption');
    expect(JSON.parse(open(ring, keysContext(tenant.mid, id), sealed))).toMatchObject(nmi.credentials);
    expect(() => open(ring, keysContext(tenant.mid, 'cn_another'), sealed)).toThrow();
    expect(() => open(ring, keysContext(tenant.mid + 1, id), sealed)).toThrow();
  });

  it('orders, renames and switches off without the credentials, and takes new ones for the same connection', async () => {
    const [first, second] = await setAll(stripe, nmi);
    const before = await readConnections(tenant.mid);
    const turned = await setAll(
      { id: second?.id, kind: 'nmi', label: 'Renamed', active: false },
      { id: first?.id, ...stripe, credentials: { secret_key: 'rk_test_anotherAnotherEFGH' } },
    );
    expect(turned).toMatchObject([
      { id: second?.id, label: 'Renamed', active: false, credentials: second?.credentials },
      { id: first?.id, credentials: { secret_key: '…EFGH', environment: 'test' } },
    ]);
    const after = await readConnections(tenant.mid);
    expect(after.list[0]?.sealed).toBe(before.list[1]?.sealed);
    expect(after.list[1]?.sealed).not.toBe(before.list[0]?.sealed);
  });

  it('retires what is left out, so that its refunds can still be asked about, and takes it back', async () => {
    const [first] = await setAll(stripe, nmi);
    await setAll(nmi);
    expect((await details()).retired).toMatchObject([{ kind: 'stripe' }, { kind: 'nmi' }]);
    const retired = connectionOfId(await readConnections(tenant.mid), first?.id ?? '');
    expect(retired?.kind).toBe('stripe');
    await setAll({ id: first?.id, kind: 'stripe', label: 'Back again' });
    const { connections, retired: others } = await details();
    expect(connections).toMatchObject([{ id: first?.id, label: 'Back again' }]);
    expect(others.map(({ kind }) => kind).sort()).toEqual(['nmi', 'nmi']);
  });

  it('asks a connection about the alerts of its sites only', async () => {
    const set = await setAll({ ...stripe, sids: [tenant.sid, tenant.sid] }, { ...nmi, sids: [] }, sandbox, {
      ...braintree,
      active: false,
    });
    expect(set.map(({ sids }) => sids)).toEqual([[tenant.sid], null, null, null]);
    const connections = await readConnections(tenant.mid);
    const kindsFor = (sid: number) => connectionsFor(connections, sid).map(({ kind }) => kind);
    expect(kindsFor(tenant.sid)).toEqual(['stripe', 'nmi', 'sandbox']);
    expect(kindsFor(tenant.sid + 1)).toEqual(['nmi', 'sandbox']);
  });

  it('may be all taken away', async () => {
    await setAll(stripe);
    expect(await setAll()).toEqual([]);
    expect((await details()).retired).toHaveLength(1);
  });
});

describe("a merchant's own service", () => {
  const http = { kind: 'http', label: 'Our charges', credentials: { base_url: 'https://shop.example/forewarn' } };
  type Made = Shown & { secret?: string };
  const secretOf = async (): Promise<string> => {
    const sealed = fromConnectionsItem(await getItem(keys.connections(tenant.mid))).list[0]?.sealed ?? '';
    const [first] = (await readConnections(tenant.mid)).list;
    return JSON.parse(open(await keyRing('encryption'), keysContext(tenant.mid, first?.id ?? ''), sealed)).secret;
  };

  it('gets a generated secret, shown once, if the merchant gives none', async () => {
    const [made] = (await setAll(http)) as [Made];
    expect(made).toMatchObject({ kind: 'http', credentials: { base_url: 'https://shop.example/forewarn' } });
    expect(made.secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(await secretOf()).toBe(made.secret);
    expect(JSON.stringify(await details())).not.toContain(made.secret);
    const [kept] = (await setAll({ id: made.id, kind: 'http', label: 'Renamed' })) as [Made];
    expect(kept.secret).toBeUndefined();
    expect(await secretOf()).toBe(made.secret);
  });

  it('gets a new secret when its address changes', async () => {
    const [made] = (await setAll(http)) as [Made];
    const moved = { id: made.id, ...http, credentials: { base_url: 'https://other.example/' } };
    const [after] = (await setAll(moved)) as [Made];
    expect(after.secret).toMatch(/^whsec_/);
    expect(after.secret).not.toBe(made.secret);
  });

  it('keeps a secret that the merchant gives, and does not return it', async () => {
    const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
    const [made] = (await setAll({ ...http, credentials: { ...http.credentials, secret } })) as [Made];
    expect(made.secret).toBeUndefined();
    expect(await secretOf()).toBe(secret);
  });

  it.each([
    ['http://shop.example/', 'https://'],
    ['https://10.0.0.1/', 'public Internet'],
    ['https://user:pass@shop.example/', 'username'],
    ['https://shop.example/?key=1', 'query'],
    ['https://shop.example/?', 'query'],
    ['https://shop.example/#charges', 'fragment'],
    ['shop', 'absolute URL'],
  ])('is refused at %s', async (base_url, words) => {
    const found = await problem({ ...http, credentials: { base_url } });
    expect(found).toContain('connections.0.credentials.base_url');
    expect(found).toContain(words);
  });
});

describe('connections that are refused', () => {
  it.each([
    ['credentials of a new one', { kind: 'nmi', label: 'x' }, 'credentials: is required'],
    ['a key of another kind', { ...stripe, credentials: { secret_key: 'pk_live_abcdefgh' } }, 'credentials.secret_key'],
    ['a key that is missing', { ...braintree, credentials: { public_key: 'abcdefgh' } }, 'credentials.private_key'],
    ['an id of nobody', { ...stripe, id: 'cn_nobody' }, 'id: you have no such connection to stripe'],
  ])('name %s', async (_, connection, words) => {
    expect(await problem(connection)).toContain(`connections.0.${words}`);
  });

  it('never repeat what was sent', async () => {
    const sent = 'not a key but a secret';
    expect(await problem({ ...nmi, credentials: { security_key: sent } })).not.toContain(sent);
  });

  it('name a connection of another kind, a repeated one, or one of another merchant', async () => {
    const id = await setFirst(stripe);
    expect(await problem({ ...nmi, id })).toContain('connections.0.id: you have no such connection to nmi');
    expect(await problem({ ...stripe, id }, { ...stripe, id })).toContain('connections.1.id: names one');
    tenant = await newTenant();
    expect(await problem({ ...stripe, id })).toContain('connections.0.id: you have no such connection');
  });

  it("name a site that is not one of the merchant's alert sites", async () => {
    const another = await newTenant();
    await setAlert(another, {});
    expect(await problem({ ...stripe, sids: [tenant.sid, another.sid] })).toBe(
      'connections.0.sids.1: you have no such alert site',
    );
  });

  it('are the sandbox where it is not allowed, and plain http', async () => {
    const plain = { ...stripe, credentials: { ...stripe.credentials, base_url: 'http://127.0.0.1:1' } };
    await setAll(sandbox, plain);
    try {
      for (const name of variables) delete process.env[name];
      expect(await problem(sandbox)).toContain('connections.0.kind: the sandbox is not offered here');
      expect(await problem(plain)).toContain('connections.0.credentials.base_url');
    } finally {
      for (const name of variables) process.env[name] = 'true';
    }
  });

  it('are too many', async () => {
    expect(await problem(...Array.from({ length: 21 }, () => sandbox))).toContain('connections: must have at most 20');
    const sids = Array.from({ length: 41 }, (_, index) => index + 1);
    const others = sids.map((sid) => sid + 1000);
    expect(await problem({ ...sandbox, sids }, { ...sandbox, sids: others })).toContain('at most 80 sites in all');
  });

  it('return a conflict when another call sets connections at the same time', async () => {
    const answers = await Promise.all([set([stripe]), set([nmi]), set([sandbox])]);
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses[0]).toBe(200);
    expect(statuses.filter((status) => status === 409).length).toBe(statuses.filter((one) => one !== 200).length);
    const { version } = await readConnections(tenant.mid);
    expect(statuses.filter((status) => status === 200)).toHaveLength(version);
  });

  it('are refused where others were set since the version that was read, which are kept', async () => {
    await setAll(stripe);
    const send = (body: object) =>
      ask('connections/set-connections', { as: tenant.as, params: { mid: tenant.mid }, body });
    const { version } = await readConnections(tenant.mid);
    expect((await send({ connections: [stripe, nmi], version })).body).toMatchObject({ version: version + 1 });
    const late = await send({ connections: [stripe, sandbox], version });
    expect(late).toMatchObject({
      status: 409,
      body: { details: expect.stringContaining(`version: is ${version + 1}`) },
    });
    expect((await readConnections(tenant.mid)).list.map(({ kind }) => kind)).toEqual(['stripe', 'nmi']);
  });

  it('are removed only by a call that names the version it has read', async () => {
    const [first] = await setAll(stripe, nmi);
    const send = (body: object) =>
      ask('connections/set-connections', { as: tenant.as, params: { mid: tenant.mid }, body });
    expect(await send({ connections: [] })).toMatchObject({
      status: 400,
      body: { details: 'version: is required to remove connections. Send the one that you have read.' },
    });
    const renamed = await send({ connections: [{ id: first?.id, kind: 'stripe', label: 'Renamed' }] });
    expect(renamed).toMatchObject({
      status: 200,
      body: { connections: [{ id: first?.id, label: 'Renamed' }, { kind: 'nmi' }] },
    });
    const { version } = renamed.body as { version: number };
    expect(await send({ connections: [], version })).toMatchObject({ status: 200, body: { connections: [] } });
    expect(await send({ connections: [] })).toMatchObject({ status: 200 });
  });

  it('keep those that are not named where only one is added, changed or renewed', async () => {
    const http = { kind: 'http', label: 'Ours', credentials: { base_url: 'https://shop.example/forewarn' } };
    const send = async (...connections: object[]) => {
      const body = { connections, keep_others: true };
      return (await ask('connections/set-connections', { as: tenant.as, params: { mid: tenant.mid }, body })).body as {
        connections: (Shown & { secret?: string })[];
      };
    };
    const [first] = await setAll(stripe, nmi);
    const added = (await send(http)).connections;
    expect(added.map(({ kind, secret }) => [kind, typeof secret])).toEqual([
      ['stripe', 'undefined'],
      ['nmi', 'undefined'],
      ['http', 'string'],
    ]);
    const changed = await send({ ...http, id: added[2]?.id }, { id: first?.id, kind: 'stripe', label: 'Renamed' });
    expect(changed.connections).toMatchObject([
      { label: 'Renamed' },
      { kind: 'nmi' },
      { secret: expect.stringMatching(/^whsec/) },
    ]);
    expect((await details()).retired).toEqual([]);
    const many = Array.from({ length: 18 }, () => sandbox);
    const body = { connections: many, keep_others: true };
    const full = await ask('connections/set-connections', { as: tenant.as, params: { mid: tenant.mid }, body });
    expect(full.body).toMatchObject({ details: 'connections: must be at most 20 in all' });
  });

  it('return a conflict when another user has set connections in between, which are kept', async () => {
    beforeTransactions(async () => {
      beforeTransactions();
      expect((await set([nmi])).status).toBe(200);
    });
    expect((await set([stripe])).status).toBe(409);
    expect((await readConnections(tenant.mid)).list.map(({ kind }) => kind)).toEqual(['nmi']);
  });
});

describe("another merchant's connections", () => {
  it('return the same 404 as missing ones', async () => {
    const id = await setFirst(sandbox);
    const another = await newTenant();
    const asked = (mid: number, operation: string) =>
      ask(operation, {
        as: another.as,
        params: { mid, id },
        ...(operation.endsWith('/set-connections') && { body: { connections: [] } }),
      });
    for (const operation of [
      'connections/set-connections',
      'connections/connection-details',
      'connections/test-connection',
    ]) {
      const theirs = await asked(tenant.mid, operation);
      expect(theirs.status).toBe(404);
      expect(theirs.body).toEqual((await asked(999_999, operation)).body);
    }
    const own = await ask('connections/test-connection', { as: another.as, params: { mid: another.mid, id } });
    const absent = await ask('connections/test-connection', {
      as: another.as,
      params: { mid: another.mid, id: 'cn_nobody' },
    });
    expect([own.status, own.body]).toEqual([404, absent.body]);
  });
});

describe('trying a connection', () => {
  const tried = async (connection: object) => {
    const params = { mid: tenant.mid, id: await setFirst(connection) };
    const { status, body } = await ask('connections/test-connection', { as: tenant.as, params });
    expect(status).toBe(200);
    return body;
  };

  it('says that it works', async () => {
    expect(await tried(sandbox)).toMatchObject({ works: true, problem: null, msg: 'The connection to sandbox works.' });
    await using fake = await startFakeStripe();
    const credentials = { secret_key: fake.secretKey, base_url: fake.url };
    expect(await tried({ ...stripe, credentials })).toMatchObject({ works: true, problem: null, missing: [] });
  });

  it('names the rights that a key lacks', async () => {
    await using fake = await startFakeStripe();
    const credentials = { secret_key: fake.restrictedKey('charges_read', 'disputes_read'), base_url: fake.url };
    expect(await tried({ ...stripe, credentials })).toMatchObject({
      ...{ works: false, problem: 'credentials', missing: expect.arrayContaining(['Refunds: write']) },
      msg: expect.stringMatching(/Missing: .*Refunds: write/),
    });
    await using another = await startFakeNmi();
    const queryOnly = { security_key: another.queryOnlyKey, environment: 'test', base_url: another.url };
    expect(await tried({ ...nmi, credentials: queryOnly })).toMatchObject({
      ...{ works: false, problem: 'credentials', missing: ['Payment API: void and refund'] },
    });
  });

  it('says that a key is wrong, and asks for the right one', async () => {
    await using fake = await startFakeBraintree();
    const credentials = { public_key: 'anotherpublickey', private_key: fake.privateKey, base_url: fake.url };
    expect(await tried({ ...braintree, credentials })).toMatchObject({
      ...{ works: false, problem: 'credentials', missing: [], msg: expect.stringContaining('Set the right one') },
    });
  });

  it('reports an unreachable processor as a temporary problem', async () => {
    const credentials = { ...stripe.credentials, base_url: 'http://127.0.0.1:9' };
    expect(await tried({ ...stripe, credentials })).toMatchObject({
      ...{ works: false, problem: 'unavailable', missing: [], msg: expect.stringContaining('Try again later') },
    });
  });

  it('says that credentials which cannot be opened have to be set again', async () => {
    const id = await setFirst(stripe);
    const connections = await readConnections(tenant.mid);
    const list = connections.list.map((one) => ({ ...one, sealed: 'k1.of.nobody' }));
    await putItem(toConnectionsItem(tenant.mid, { ...connections, list }));
    const { body } = await ask('connections/test-connection', { as: tenant.as, params: { mid: tenant.mid, id } });
    expect(body).toMatchObject({
      works: false,
      problem: 'credentials',
      msg: expect.stringContaining('Set them again'),
    });
  });

  it('does not ask the sandbox where it is not allowed any more', async () => {
    const id = await setFirst(sandbox);
    const [connection] = (await readConnections(tenant.mid)).list;
    if (connection?.id !== id) throw new Error('no connection');
    try {
      delete process.env['ALLOW_SANDBOX'];
      expect(
        await loadConnectedProcessor(connection, { mid: tenant.mid, ring: await keyRing('encryption') }),
      ).toBeUndefined();
    } finally {
      process.env['ALLOW_SANDBOX'] = 'true';
    }
  });
});

describe('the declarations', () => {
  it.each(['connections/set-connections', 'connections/connection-details', 'connections/test-connection'])(
    'of %s hold',
    (operation) => expectDeclared(operation),
  );
});
