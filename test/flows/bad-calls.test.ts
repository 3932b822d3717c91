import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bodyOfRefusal, type ErrorCode, Refusal, refusals } from '../../functions/core/errors.ts';
import type { Operation } from '../../functions/core/operation.ts';
import { transact } from '../../functions/core/table.ts';
import { operations as everyOperation } from '../../functions/operations.ts';
import { mostRules, type RuleOwner } from '../../functions/rules/rule.ts';
import { bookWrites } from '../../functions/rules/rule-row.ts';
import { ruleOf } from '../rules/samples.ts';
import { deliveryOf, providerAAlert, receive, sendSigned, update } from '../support/players.ts';
import { type CallReply, startStack, type TestStack } from '../support/stack.ts';
import { makeStranger } from '../support/stranger.ts';
import { type BadCalls, badCalls, type Change, type World } from './bad-calls.ts';

/** Every operation of these areas, called badly through the gateway in each way that its declaration speaks of. */
const areas = ['alerts', 'datasources', 'enrollments', 'merchants', 'notifications', 'onboarding', 'rules'];
const operations: Operation[] = everyOperation.filter(({ area }) => areas.includes(area));

let service: TestStack;
let tokens: Record<'admin' | 'merchant' | 'stranger', string>;
let calls: Record<string, BadCalls>;

const makeSite = async (path: string, type: string): Promise<number> => {
  const { body } = await service.call(`/api/v3/site/${path}/create`, { token: tokens.admin, body: { name: type } });
  const settings = { token: tokens.admin, body: {} };
  expect((await service.call(`/api/v3/site/${path}/sid/${body['sid']}/${type}`, settings)).status).toBe(200);
  return Number(body['sid']);
};

const makeRule = async (owner: object): Promise<number> => {
  const conditions = { all: [{ fact: 'amount', operator: 'lessThan', value: 25 }] };
  const body = { ...owner, name: 'A rule', enabled: false, conditions, action: { type: 'notify' } };
  const reply = await service.call('/api/v3/service_alerts/rules/create', { token: tokens.admin, body });
  expect(reply.status).toBe(200);
  return Number(reply.body['rule_id']);
};

/** Gives an owner as many rules as there may be; straight into the table, as fifty calls take their time. */
const fillBook = (owner: RuleOwner): Promise<void> => {
  const rules = Array.from({ length: mostRules }, (_, n) => ruleOf({ ...owner, id: 1000 + n, enabled: false }));
  return transact(bookWrites({ owner, version: 1, rules }, undefined));
};

const makeWorld = async (): Promise<World> => {
  const stranger = await makeStranger(service);
  tokens = {
    admin: await service.tokenOf('admin'),
    merchant: await service.tokenOf('merchant'),
    stranger: stranger.token,
  };
  const { mid, rid, sid } = service.credentials.site;
  const path = `mid/${mid}/rid/${rid}`;
  const openId = await receive(service);
  const closedId = await receive(service);
  expect(
    (await update(service, { alert_id: String(closedId), status: 'RESOLVED', reason_code: '100.001' })).status,
  ).toBe(200);
  const unmatched = providerAAlert(service, { merchantDescriptor: 'NOBODY KNOWS THIS' });
  await fillBook({ mid: stranger.mid, sid: null });
  return {
    ...{ site: { mid, rid, sid }, stranger, openId, closedId, enrollmentId: 1 },
    now: service.clock.now().toISOString(),
    informId: await receive(service, { type: 'FRAUD_NOTICE' }),
    unmatchedId: Number((await sendSigned(service, 'provider_a', unmatched)).body['alert_id']),
    deliveryId: (await deliveryOf(service, openId, 'new_alert')).id,
    paymentSid: await makeSite(path, 'payment'),
    threeDsSid: await makeSite(path, '3ds'),
    otherSid: await makeSite(path, 'alert'),
    ruleId: await makeRule({ sid }),
  };
};

beforeAll(async () => {
  service = await startStack({ startTime: '2026-05-02T10:00:00Z' });
  calls = badCalls(await makeWorld());
});
afterAll(() => service.stop());

const nameOf = ({ area, name }: Operation) => `${area}/${name}`;
const callsOf = (operation: Operation): BadCalls => {
  const found = calls[nameOf(operation)];
  if (!found) throw new Error(`bad-calls.ts has no bad calls of ${nameOf(operation)}`);
  return found;
};

const signatureOf = (operation: Operation, body: string): Record<string, string> => {
  const provider = operation.path.split('/')[4] as keyof typeof service.credentials.providers;
  const seconds = Math.floor(service.clock.now().getTime() / 1000);
  const secret = service.credentials.providers[provider];
  return {
    'x-signature': `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`,
  };
};

/** Calls an operation rightly but for a change. `raw`: sent in the place of the body. */
const send = (operation: Operation, change: Change, raw?: string): Promise<CallReply> => {
  const right = callsOf(operation);
  const params: Record<string, string | number> = { ...right.params, ...change.params };
  const body = raw ?? JSON.stringify({ ...right.body, ...change.body });
  const isGuarded = operation.auth === 'bearer' || operation.auth === 'admin';
  return service.call(
    operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? '')),
    {
      method: operation.method,
      ...(isGuarded && { token: tokens[change.as ?? right.as ?? 'merchant'] }),
      ...(operation.body && { body }),
      headers: {
        ...(operation.auth === 'provider' && signatureOf(operation, body)),
        ...(operation.auth === 'site' && { rcode: service.credentials.site.rcode }),
        ...change.headers,
      },
    },
  );
};

const entriesOf = (schema: unknown): object =>
  typeof schema === 'object' && schema !== null && 'entries' in schema ? Object(schema.entries) : {};
const takesFields = ({ body }: Operation) =>
  body !== undefined && (!('entries' in body) || Object.keys(entriesOf(body)).length > 0);
/** Lists whose ids are filters only: what is somebody else's is not there. */
const isSilent = ({ body, auth, errors }: Operation) =>
  auth === 'bearer' && errors.length === 0 && ['mid', 'sid'].some((id) => id in entriesOf(pipedOf(body)));
const pipedOf = (schema: unknown): unknown =>
  typeof schema === 'object' && schema !== null && 'pipe' in schema && Array.isArray(schema.pipe)
    ? schema.pipe.find((one) => 'entries' in Object(one))
    : schema;

/** What a refusal says whatever its details. */
const wordsOf = (code: ErrorCode): object => {
  const { details: _, ...words } = bodyOfRefusal(new Refusal(code)) as Record<string, unknown>;
  return words;
};

const those = (filter: (operation: Operation) => unknown) => operations.filter(filter);

it.each(operations)('$area/$name has bad calls for all that it takes and refuses', (operation) => {
  const { wrong, refused = {}, unseen } = callsOf(operation);
  expect(wrong.some(({ params }) => params)).toBe(operation.params !== undefined);
  expect(wrong.some(({ body }) => body)).toBe(takesFields(operation));
  expect(Object.keys(refused).sort()).toEqual([...operation.errors].sort());
  expect(Object.entries(refused).filter(([code, how]) => how === 'race' && code !== 'changed_meanwhile')).toEqual([]);
  expect(unseen !== undefined).toBe(isSilent(operation));
});

it.each(those(({ params, body }) => params ?? body))('$area/$name names each wrong field', async (operation) => {
  for (const { names, ...change } of callsOf(operation).wrong) {
    const { status, body } = await send(operation, change);
    expect([status, body['msg']], names).toEqual([400, refusals.request_invalid.msg]);
    expect(body['details']).toMatch(new RegExp(`^${names.replaceAll('.', '\\.')}: `));
  }
});

it.each(those(({ errors }) => errors.length > 0))('$area/$name refuses what it declares', async (operation) => {
  for (const [code, how] of Object.entries(callsOf(operation).refused ?? {})) {
    if (how === 'race') continue;
    const { after, ...change } = how;
    if (after) expect((await send(operation, after)).status, code).toBe(200);
    const { status, body } = await send(operation, change);
    expect([status, body], code).toEqual([
      refusals[code as ErrorCode].status,
      expect.objectContaining(wordsOf(code as ErrorCode)),
    ]);
  }
});

it.each(those(({ body }) => body))('$area/$name takes no other content type', async (operation) => {
  const { status, body } = await send(operation, { headers: { 'content-type': 'text/xml' } }, '<xml/>');
  expect([status, body['msg']]).toEqual([415, refusals.content_type_unsupported.msg]);
  expect(body['details']).toContain('Send Content-Type application/');
});

it.each(those(isSilent))('$area/$name shows nothing of what is somebody else’s', async (operation) => {
  const { status, body } = await send(operation, callsOf(operation).unseen ?? {});
  expect([status, body['list'], body['totalResult']]).toEqual([200, [], 0]);
});

it('knows of no operation that does not exist', () =>
  expect(Object.keys(calls).sort()).toEqual(operations.map(nameOf).sort()));

it('lets no function do what it was not granted, and fails nowhere', () => {
  expect(service.problems).toEqual([]);
  expect(service.invocations.filter(({ error }) => error)).toEqual([]);
});
