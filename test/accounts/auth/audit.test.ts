import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, expect, it } from 'vitest';
import { createUser } from '#accounts/auth/users/user-store.ts';
import { setClock } from '#core/kernel/clock.ts';
import type { AuditEntry } from '#core/platform/audit/audit.ts';
import { toAuditItem } from '#core/platform/audit/audit-row.ts';
import { auditCommand } from '#core/platform/audit/audit-store.ts';
import { putItem } from '#core/platform/table/table.ts';
import { newTenant, setAlert } from '#test/accounts/merchants/tenant.ts';
import { longList, storeLongList } from '#test/support/long-list.ts';
import { type As, ask, expectDeclared, useOperations } from '#test/support/operations.ts';

useOperations();
afterEach(() => setClock());

type Entry = {
  operation: string;
  by: string;
  result: string;
  fields: string[];
  ids: object;
  code: string | null;
  changes: object[];
};
const tryList = (as: As, body: object = {}) => ask('auth/list-audit', { as, body });
const listEntries = async (as: As, body: object = {}): Promise<Entry[]> =>
  ((await tryList(as, body)).body as { list: Entry[] }).list;
const token = 'nobody-is-to-read-this';

it('tells who set what, by its names, and whether it was refused', async () => {
  const { mid, sid, as, ...tenant } = await newTenant();
  const sent = { username: 'ann', token, deadline_hours: { FRAUD: 6 } };
  expect(await setAlert({ mid, sid, as, ...tenant }, sent)).toMatchObject({ status: 200 });
  expect(await ask('merchants/rotate-rcode', { as, params: { sid: 999_999 } })).toMatchObject({ status: 404 });
  const list = await listEntries(as);
  expect(list).toMatchObject([
    { operation: 'merchants/rotate-rcode', result: 'REFUSED', code: 'site_not_found', ids: { sid: 999_999 } },
    {
      ...{ operation: 'merchants/set-alert-settings', by: `merchant-${mid}`, result: 'DONE', code: null, mid, sid },
      ...{ ids: { mid, sid }, fields: ['deadline_hours', 'token', 'username'], username: null, source_ip: '127.0.0.1' },
      request_id: 'request-1',
    },
    { operation: 'merchants/create-site', by: 'root', scope: 'admin', result: 'DONE', ids: { mid, sid } },
    { operation: 'merchants/create-retailer', ids: { mid } },
    { operation: 'merchants/create-merchant', ids: { mid }, fields: ['name'] },
  ]);
  expect(JSON.stringify(list)).not.toContain(token);
});

it('tells old and new values in a fixed order, of addresses only host and domain, and no secret', async () => {
  const hourAgo = Date.now() - 3_600_000;
  setClock(() => hourAgo);
  const tenant = await newTenant();
  const setLater = (minutes: number, body: Record<string, unknown>) => {
    setClock(() => hourAgo + minutes * 60_000);
    return setAlert(tenant, body);
  };
  const first = { alertapiurl: 'https://one.example/hook?key=hidden', alert_email: 'ann@one.example' };
  await setLater(1, { ...first, deadline_hours: { FRAUD: 6 } });
  const next = { alertapiurl: 'https://two.example/hidden?x', alert_email: 'ann@two.example', token };
  await setLater(2, { deadline_hours: { DISPUTE: 30, FRAUD: 5 }, max_refund_amount: '9.50', ...next });
  const slack = 'https://hooks.slack.com/services/T0/B0/hidden';
  await setLater(3, { slack_webhook_url: slack, username: 'hidden' });
  const [chat, after, before] = await listEntries(tenant.as, { size: 3 });
  expect(chat).toMatchObject({ fields: ['slack_webhook_url', 'username'], changes: [] });
  expect(after?.changes.map((one) => Object.values(one))).toEqual([
    ['alertapiurl', 'one.example', 'two.example'],
    ['max_refund_amount', null, '9.50'],
    ['alert_email', ['one.example'], ['two.example']],
    ['deadline_hours.FRAUD', 6, 5],
    ['deadline_hours.DISPUTE', expect.any(Number), 30],
  ]);
  expect(before?.changes[0]).toEqual({ field: 'alertapiurl', before: null, after: 'one.example' });
  expect(JSON.stringify([chat, after, before])).not.toMatch(/hidden|ann@|nobody-is-to-read-this/);
});

it('has no values in what was refused, and lists entries of earlier releases, which have none', async () => {
  const { as, mid, ...tenant } = await newTenant();
  expect(await setAlert({ as, mid, ...tenant, sid: 999_999 }, { body_format: 'json' })).toMatchObject({ status: 404 });
  const [refused] = await listEntries(as, { size: 1 });
  expect(refused).toMatchObject({ result: 'REFUSED', fields: ['body_format'], changes: [] });
  const entry = { id: 'earlier', at: new Date().toISOString(), operation: 'merchants/create-site', by: 'root' };
  const known = { scope: 'admin', sourceIp: '', requestId: '', mid, sid: null, username: null, ids: {} } as const;
  const item = toAuditItem({ ...entry, ...known, fields: ['name'], changes: [], result: 'DONE', code: null });
  const { changes: _, ...summary } = item.summary;
  await putItem({ ...item, summary });
  expect((await listEntries('admin', { mid, size: 1 }))[0]).toMatchObject({ id: 'earlier', changes: [] });
});

it('shows a merchant its own, and of its sites what operators did too', async () => {
  const [own, other] = [await newTenant(), await newTenant()];
  await ask('merchants/rotate-rcode', { as: 'admin', params: { sid: own.sid } });
  expect((await listEntries(own.as)).some(({ operation }) => operation === 'merchants/rotate-rcode')).toBe(false);
  expect(await listEntries(own.as, { sid: own.sid })).toMatchObject([
    { operation: 'merchants/rotate-rcode', by: 'root' },
    { operation: 'merchants/create-site' },
  ]);
  expect(await tryList(own.as, { sid: other.sid })).toMatchObject({ status: 404 });
  expect(await tryList(own.as, { mid: other.mid })).toMatchObject({ status: 404 });
  const [mine, theirs] = await Promise.all(
    [own, other].map(({ mid }) =>
      createUser({ username: `ann-${mid}`, password: 'correct horse battery', scope: 'merchant', mid }),
    ),
  );
  expect(await tryList(own.as, { username: mine?.username })).toMatchObject({ status: 200, body: { list: [] } });
  expect(await tryList(own.as, { username: theirs?.username })).toMatchObject({ status: 404 });
  expect(await tryList(own.as, { username: 'root' })).toMatchObject({ status: 404 });
  expect((await listEntries('admin', { username: 'root' })).length).toBeGreaterThan(0);
  expect(await tryList('admin', { mid: own.mid, sid: own.sid })).toMatchObject({ status: 400 });
  expect(await tryList({ mid: own.mid, role: 'developer' })).toMatchObject({ status: 403 });
});

it('names a new user by the whole username, with the suffix of the merchant', async () => {
  const { as, mid } = await newTenant();
  process.env['MAIL_FROM'] = 'alerts@forewarn.example';
  const body = { username: 'ann', name: 'Ann', role: 'analyst' };
  expect(await ask('auth/create-user', { as, body })).toMatchObject({ status: 200 });
  const [entry] = await listEntries(as);
  expect(entry).toMatchObject({ operation: 'auth/create-user', username: `ann@m${mid}`, result: 'DONE' });
});

it('the audit log of a site omits failed attempts by other merchants', async () => {
  const [own, other] = [await newTenant(), await newTenant()];
  expect(await ask('merchants/rotate-rcode', { as: other.as, params: { sid: own.sid } })).toMatchObject({
    status: 404,
  });
  expect(await ask('merchants/rotate-rcode', { as: own.as, params: { sid: own.sid } })).toMatchObject({ status: 200 });
  for (const as of [own.as, 'admin'] as const) {
    expect((await listEntries(as, { sid: own.sid })).map(({ by, operation }) => [by, operation])).toEqual([
      [`merchant-${own.mid}`, 'merchants/rotate-rcode'],
      ['root', 'merchants/create-site'],
    ]);
  }
  expect(await listEntries(other.as)).toMatchObject([{ result: 'REFUSED', ids: { sid: own.sid } }, {}, {}, {}]);
});

it('has an entry of what was cut off, and of nothing that could not be entered', async () => {
  const { mid, rid, sid, as } = await newTenant();
  const mock = mockClient(DynamoDBDocumentClient);
  mock.on(PutCommand).rejects(new Error('No connection'));
  const call = { as, params: { mid, rid, sid }, body: { deadline_hours: { FRAUD: 6 } } };
  expect(await ask('merchants/set-alert-settings', call)).toMatchObject({ status: 500 });
  mock.restore();
  expect((await listEntries(as)).map(({ operation }) => operation)).not.toContain('merchants/set-alert-settings');
  const dying = mockClient(DynamoDBDocumentClient);
  dying.callsFake(() => {
    throw new Error('No connection');
  });
  dying.on(PutCommand).callsFakeOnce((input) => {
    kept.push(input);
    return {};
  });
  const kept: unknown[] = [];
  expect(await ask('merchants/set-alert-settings', call)).toMatchObject({ status: 500 });
  dying.restore();
  expect(kept).toMatchObject([{ Item: { summary: { operation: 'merchants/set-alert-settings', result: 'UNKNOWN' } } }]);
});

it('knows what operators did at the command line', async () => {
  await auditCommand('command/password', 'Bob', ['password']);
  const [entry] = await listEntries('admin');
  expect(entry).toMatchObject({ operation: 'command/password', by: 'command line', username: 'Bob', result: 'DONE' });
});

it('has the total on every page, however long it is', async () => {
  const { mid, as } = await newTenant();
  const { list } = (await tryList(as, { size: 500 })).body as { list: Entry[] };
  for (const body of [{ size: 1 }, { size: 1, offset: list.length - 1 }]) {
    expect((await tryList(as, body)).body).toMatchObject({ totalResult: list.length });
  }
  const entry: AuditEntry = {
    ...{ id: 'long', at: new Date().toISOString(), operation: 'merchants/create-site', by: 'root', scope: 'admin' },
    ...{ sourceIp: '127.0.0.1', requestId: 'request-1', mid: 777 + mid, sid: null, username: null },
    ...{ ids: {}, fields: [], changes: [], result: 'DONE', code: null },
  };
  await storeLongList(toAuditItem(entry));
  const long = { mid: 777 + mid, size: 3 };
  for (const body of [long, { ...long, offset: 5 }]) {
    expect((await tryList('admin', body)).body).toMatchObject({ totalResult: longList });
  }
});

it('auth/list-audit does what it declares', () => expectDeclared('auth/list-audit'));
