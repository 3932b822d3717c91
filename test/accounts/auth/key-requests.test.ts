import { gzipSync } from 'node:zlib';
import { beforeEach, expect, it } from 'vitest';
import { readAccessLine } from '#accounts/auth/api-keys/key-request.ts';
import { handler } from '#accounts/auth/jobs/record-key-requests/handler.ts';
import { recordKeyRequestsWorker } from '#accounts/auth/jobs/record-key-requests/worker.ts';
import { keys } from '#core/platform/table/keys.ts';
import { queryItems } from '#core/platform/table/table.ts';
import { ask, expectDeclared, runWorker, useOperations } from '#test/support/operations.ts';

useOperations();

const day = '2026-05-02';
const noon = Date.parse(`${day}T12:00:00.000Z`);
const line = (change: Record<string, unknown> = {}) => ({
  ...{ requestId: 'r-0', time: String(noon), ip: '203.0.113.7', method: 'GET', stage: 'dev' },
  ...{ route: '/api/v3/orders/{id}/details', status: '200', responseLength: '12', milliseconds: '40' },
  ...{ integrationMilliseconds: '38', subject: `key:${key.id}`, errorType: '-', firewall: '-', trace: '-' },
  ...change,
});
const feed = (lines: readonly unknown[], messageType = 'DATA_MESSAGE') => {
  const logEvents = lines.map((one) => ({ message: typeof one === 'string' ? one : JSON.stringify(one) }));
  const data = gzipSync(JSON.stringify({ messageType, logEvents })).toString('base64');
  return runWorker(recordKeyRequestsWorker, () => handler({ awslogs: { data } }));
};
type Listed = { list: Record<string, unknown>[]; next_cursor: string | null };
const read = async (body: object = {}, as: object = { mid: key.mid }) => {
  const answer = await ask('auth/list-key-requests', { as: as as { mid: number }, body: { id: key.id, day, ...body } });
  expectDeclared('auth/list-key-requests');
  return answer as { status: number; body: Listed & { code?: string } };
};
const rows = async () =>
  (
    await queryItems({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.keyRequestDay(key.id, day) },
    })
  ).items;

let key: { id: number; mid: number };
beforeEach(async () => {
  const { body } = await ask('merchants/create-merchant', { body: { name: 'A merchant' } });
  const { mid } = body as { mid: number };
  const made = await ask('auth/create-api-key', { as: { mid }, body: { name: 'Shop', permissions: ['alerts:read'] } });
  key = { mid, id: (made.body as { id: number }).id };
});

it('keeps one row for a request however often its line arrives, for 30 days and in no list', async () => {
  await feed([line(), line()]);
  await feed([line()]);
  expect(await rows()).toEqual([
    {
      ...{ pk: `KEY_REQUESTS#${key.id}#${day}`, sk: `${day}T12:00:00.000Z#r-0` },
      ...{ entity: 'KEY_REQUEST', schemaVersion: 1, ttl: noon / 1000 + 30 * 86_400 },
      ...{ keyId: key.id, at: `${day}T12:00:00.000Z`, requestId: 'r-0', method: 'GET' },
      ...{ path: '/api/v3/orders/{id}/details', status: 200, milliseconds: 40 },
    },
  ]);
});

it.each([
  ['of a person', { subject: 'ada' }],
  ['of a person whose name begins like a key’s', { subject: 'key:1x' }],
  ['without a caller', { subject: '-' }],
  ['whose request id is a text', { requestId: '4111111111111111 "x"' }],
  ['without a status', { status: '-' }],
  ['without a time', { time: '-' }],
])('keeps no line %s', (_, change) => {
  expect(readAccessLine(JSON.stringify(line(change)))).toBeUndefined();
});

it('keeps nothing of text that is no line, and of a test of the subscription', async () => {
  await feed(['4111 1111 1111 1111', '{"subject":']);
  await feed([line()], 'CONTROL_MESSAGE');
  expect(await rows()).toEqual([]);
});

it('counts a reply that the gateway itself gave without a time as one of 0 ms', () =>
  expect(readAccessLine(JSON.stringify(line({ status: '504', milliseconds: '-' })))).toMatchObject({
    milliseconds: 0,
  }));

const statuses = ['200', '404', '500', '403', '200', '504', '429'];
const feedStatuses = () =>
  feed(statuses.map((status, n) => line({ status, requestId: `r-${n}`, time: String(noon + n) })));

it.each([
  [undefined, [429, 504, 200, 403, 500, 404, 200]],
  ['refused', [429, 403, 404]],
  ['failed', [504, 500]],
] as const)('lists the newest first, page by page: %s', async (result, wanted) => {
  await feedStatuses();
  const seen: unknown[] = [];
  let cursor: string | null | undefined;
  do {
    const { body } = await read({ size: 2, ...(result && { result }), ...(cursor && { cursor }) });
    expect(body.list.length).toBeLessThanOrEqual(2);
    seen.push(...body.list.map(({ status }) => status));
    cursor = body.next_cursor;
  } while (cursor);
  expect(seen).toEqual(wanted);
});

it('reads at most 2,000 rows for a page of a result, and goes on after them', async () => {
  const many = Array.from({ length: 2100 }, (_, n) =>
    line({ status: n === 0 ? '500' : '200', requestId: `r-${n}`, time: String(noon + n) }),
  );
  await feed(many);
  const first = await read({ result: 'failed' });
  expect(first.body).toMatchObject({ list: [], next_cursor: expect.any(String) });
  const second = await read({ result: 'failed', cursor: first.body.next_cursor });
  expect(second.body).toMatchObject({ list: [{ request_id: 'r-0' }], next_cursor: null });
});

it('lists another day’s requests only on that day, and today’s by default', async () => {
  await feed([line(), line({ requestId: 'r-1', time: String(noon + 86_400_000) })]);
  expect((await read({ day: '2026-05-03' })).body.list.map((one) => one['request_id'])).toEqual(['r-1']);
  const { body } = await read({ day: undefined });
  expect(body).toEqual({ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), list: [], next_cursor: null });
});

it('is shown to managers of the key’s merchant and to operators; a foreign key is as one that does not exist', async () => {
  await feedStatuses();
  const absent = await read({ id: 999_999 });
  expect(absent).toMatchObject({ status: 404, body: { code: 'api_key_not_found' } });
  expect((await read({}, { mid: key.mid + 1 })).body).toEqual(absent.body);
  const operator = await ask('auth/list-key-requests', { body: { id: key.id, day } });
  expect((operator.body as Listed).list).toHaveLength(7);
  for (const role of ['analyst', 'developer']) {
    expect((await read({}, { mid: key.mid, role })).body).toMatchObject({ code: 'role_missing' });
  }
});
