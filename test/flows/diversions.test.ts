import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { isFields } from '#core/kernel/is-object.ts';
import type { Operation } from '#core/platform/operation/operation.ts';
import { operations } from '#functions/operations.ts';
import { runSample } from '#lib/local/invoke/run-sample.ts';
import { receive } from '#test/support/personas.ts';
import { useStack } from '#test/support/stack.ts';

/** Every operation that declares what it could divert asks for a password, leaves an audit entry, and is mailed to the managers. */

type Fields = Record<string, unknown>;
/** The rules that the samples make decide alerts, so notifications come first. */
const diverting: Operation[] = operations
  .filter(({ diverts }) => diverts)
  .toSorted((one, other) => Number(other.area === 'webhooks') - Number(one.area === 'webhooks'));
const fullName = ({ area, name }: Operation): string => `${area}/${name}`;
const owner = 'owner@demo.example';
const elsewhere = 'https://elsewhere.example/hook';

const service = await useStack();
beforeAll(async () => {
  const token = await service.tokenOf('admin');
  const { mid } = service.credentials.site;
  const person = { mid, username: 'owner', name: 'Olive Owner', role: 'manager', email: owner };
  expect((await service.call('/api/v3/users/create', { token, body: person })).status).toBe(200);
});

/** Changes a call of the demo site's alert settings. */
const settings = async (body: object) => {
  const { mid, rid, sid } = service.credentials.site;
  const path = `/api/v3/site/mid/${mid}/rid/${rid}/sid/${sid}/alert`;
  const reply = await service.call(path, { token: await service.tokenOf('merchant'), body });
  expect(reply.status).toBe(200);
};

const device = {
  action: 'add',
  endpoint: 'https://fcm.googleapis.com/fcm/send/thief',
  // The browser's keys of RFC 8291, section 5.
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  ...{ name: 'Phone', language: 'en' },
};

/** The changes of a sample, or the actions before it, with which the call diverts something; `prepare` may name its path. */
const real: Readonly<Record<string, { body?: Fields; prepare?: () => Promise<Fields | undefined> }>> = {
  'auth/set-own-settings': { body: { device } },
  'enrollments/create-enrollment': { body: { email_cc_list: 'outside@elsewhere.example' } },
  'merchants/set-three-ds-settings': {
    body: { servicesettings: { thirdparty_base_url: 'https://service.sandbox.3dsecure.io' } },
  },
  'orders/set-order-profile': {
    body: {
      order_source: {
        kind: 'woocommerce',
        base_url: 'https://woo.shop.example',
        consumer_key: `ck_${'a'.repeat(40)}`,
        consumer_secret: `cs_${'b'.repeat(40)}`,
      },
    },
  },
  'rules/create-rule': { body: { enabled: true } },
  'rules/update-rule': { body: { mode: 'live', enabled: true, action: { type: 'refund' } } },
  'webhooks/replay': {
    prepare: async () => {
      const id = `ntf_${await receive(service)}`;
      await settings({ alertapiurl: elsewhere });
      return { id };
    },
  },
  'webhooks/replay-failed': {
    body: { from: '2026-05-01', to: '2026-05-03', dry_run: false },
    prepare: async () => {
      await settings({ alertapiurl: service.sinks.url('demo') });
      service.sinks.answer('demo', { status: 500, times: 1 });
      await receive(service);
      return undefined;
    },
  },
};

const Event = v.looseObject({
  body: v.nullish(v.string()),
  requestContext: v.looseObject({ authorizer: v.looseObject({}) }),
});
const Answer = v.object({ statusCode: v.number(), body: v.string() });

/** Runs an operation's sample for a caller whose password is fresh, or was so long ago. */
const run = async (operation: Operation, freshUntil = '2999-01-01T00:00:00.000Z', params?: Fields) => {
  const { result } = await runSample(operation, service, service.stack, (sent) => {
    const event = v.parse(Event, sent);
    const fields: unknown = typeof event.body !== 'string' ? {} : JSON.parse(event.body);
    const body = { ...(isFields(fields) && fields), ...real[fullName(operation)]?.body };
    const context = { ...event.requestContext, authorizer: { ...event.requestContext.authorizer, freshUntil } };
    const named = { ...event, requestContext: context, ...(params && { pathParameters: params }) };
    return operation.body ? { ...named, body: JSON.stringify(body) } : named;
  });
  return v.parse(Answer, result);
};

const auditEntries = async (operation: Operation): Promise<Fields[]> => {
  const body = { operation: fullName(operation), size: 50 };
  const reply = await service.call('/api/v3/audit/list', { token: await service.tokenOf('admin'), body });
  return (reply.body['list'] as Fields[]).filter((entry) => entry['operation'] === fullName(operation));
};
const findNotices = ({ summary }: Operation) =>
  service.mails().filter(({ subject }) => subject === `Security notice: ${summary}`.slice(0, 200));

describe.each(diverting)('$area/$name', (operation) => {
  it('refuses a password that is older than 15 minutes, and then does nothing', async () => {
    const before = [await auditEntries(operation), findNotices(operation)];
    const { statusCode, body } = await run(operation, '2026-05-02T09:59:59.000Z');
    expect([statusCode, JSON.parse(body).code]).toEqual([403, 'fresh_sign_in_needed']);
    expect([await auditEntries(operation), findNotices(operation)]).toEqual(before);
  });

  it('leaves an audit entry and is mailed to the managers', async () => {
    const params = await real[fullName(operation)]?.prepare?.();
    const { statusCode, body } = await run(operation, undefined, params);
    expect(statusCode, body).toBe(200);
    await service.untilIdle();
    const [entry] = await auditEntries(operation);
    expect(entry).toMatchObject({ result: 'DONE' });
    const [notice] = findNotices(operation);
    expect(notice).toMatchObject({ to: [owner] });
    expect(JSON.stringify(notice)).toContain(String(entry?.['by']));
  });
});

describe('a new address for the webhooks of a site', () => {
  it('does not get the token that was set for another one', async () => {
    const hooks = 'https://hooks.shop.example/alerts';
    await settings({ alertapiurl: hooks, statusupdate_url: null, enrollment_url: null, token: 'a-kept-webhook-token' });
    await settings({ alertapiurl: service.sinks.url('demo') });
    service.sinks.clear('demo');
    await receive(service);
    const [got] = service.sinks.got('demo');
    expect(got?.headers['authorization'] ?? '').not.toContain('a-kept-webhook-token');
    expect(got).toBeDefined();
  });

  it('is reported to the addresses that it replaces, as well as to the managers', async () => {
    await settings({ alert_email: 'before@shop.example' });
    await settings({ alert_email: 'after@shop.example' });
    await service.untilIdle();
    const receivers = service.mails().flatMap(({ subject, to }) => (/^Security notice/.test(subject) ? to : []));
    expect(receivers).toContain('before@shop.example');
    expect(receivers).not.toContain('after@shop.example');
  });

  it('needs a token from gettoken that is younger than 15 minutes', async () => {
    const { mid, rid, sid } = service.credentials.site;
    const path = `/api/v3/site/mid/${mid}/rid/${rid}/sid/${sid}/alert`;
    const token = await service.tokenOf('merchant');
    await service.clock.advance('PT16M');
    expect(await service.call(path, { token, body: {} })).toMatchObject({
      status: 403,
      body: { code: 'fresh_sign_in_needed' },
    });
    expect((await service.call('/api/v3/site/list', { token, body: {} })).status).toBe(200);
    await settings({});
  });
});

describe('the settings of a user', () => {
  it('are read and changed with an old password, without an audit entry, as long as no device is added or removed', async () => {
    const [operation] = diverting.filter((one) => fullName(one) === 'auth/set-own-settings');
    if (!operation) throw new Error('It diverts nothing');
    const before = await auditEntries(operation);
    const call = async (body: object) => {
      const token = await service.tokenOf('merchant');
      await service.clock.advance('PT16M');
      return (await service.call('/api/v3/users', { token, body })).status;
    };
    expect(await call({})).toBe(200);
    expect(await call({ time_zone: 'Europe/Berlin', device: { action: 'prepare' } })).toBe(200);
    expect(await call({ device: { action: 'remove', id: 'x' } })).toBe(403);
    expect(await auditEntries(operation)).toEqual(before);
  });
});

it('knows the operations that the service could be robbed with', () => {
  const byKind = Map.groupBy(diverting, ({ diverts }) => diverts);
  const listed = Object.fromEntries([...byKind].map(([kind, found]) => [kind, found.map(fullName).sort()]));
  expect(listed).toEqual({
    money: [
      ...['connections/set-connections', 'processors/set-site-processors'],
      ...['rules/create-rule', 'rules/order-rules', 'rules/update-rule'],
    ],
    data: [
      ...['auth/set-own-settings', 'enrollments/create-enrollment', 'lookups/erase-orders'],
      ...['merchants/set-alert-settings', 'merchants/set-payment-settings', 'onboarding/enroll-retailer-site'],
      ...['orders/set-order-profile', 'webhooks/replay', 'webhooks/replay-failed'],
    ],
    secret: [
      ...['auth/create-api-key', 'auth/create-user', 'auth/set-single-sign-on', 'auth/update-user'],
      'merchants/create-site',
      ...['merchants/rotate-rcode', 'merchants/rotate-signing-secret', 'merchants/set-three-ds-settings'],
    ],
  });
});
