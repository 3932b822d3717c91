import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { useStack } from '#test/support/stack.ts';

const service = await useStack({ startTime: '2026-05-02T10:00:00Z' });
beforeAll(async () => {
  const { mid, rid, sid } = service.credentials.site;
  const path = `/api/v3/site/mid/${mid}/rid/${rid}/sid/${sid}/alert`;
  const { status } = await service.call(path, {
    token: await service.tokenOf('merchant'),
    body: { enrollment_url: service.sinks.url('enrollment') },
  });
  expect(status).toBe(200);
});

type Fields = Record<string, unknown>;
// A token ends after an hour, and time flies here.
const api = async (path: string, body?: unknown, user: 'merchant' | 'admin' = 'merchant') =>
  service.call(`/api/v3${path}`, { body, token: await service.tokenOf(user) });
const enroll = async (items: readonly Fields[]): Promise<number> => {
  const { status, body } = await api('/service_alerts/descriptor_enrollment/create', {
    sid: service.credentials.site.sid,
    enrollment_items: items,
  });
  expect(status).toBe(200);
  return Number(body['enrollment_request_id']);
};
const item = (descriptor: string) => ({ provider: ['provider_a'], descriptor, match_type: 'Exact' });
const readStatus = async (id: number) =>
  (await api(`/service_alerts/enrollment/status/${id}`)).body['enrollment_request_status'];
const told = () => service.sinks.got('enrollment').map(({ body }) => JSON.parse(body) as Fields);
const sendAlert = (alertId: string, merchantDescriptor: string, type = 'CUSTOMER_DISPUTE') => {
  const body = JSON.stringify({
    alertId,
    type,
    alertTimestamp: service.clock.now().toISOString(),
    age: '1',
    issuer: 'First Bank',
    cardBin: '411111',
    cardLast4: '1111',
    transactionTimestamp: '2026-04-30T08:15:00Z',
    merchantDescriptor,
    mcc: '5732',
    amount: { value: '361.56', currencyCode: 'USD' },
    authCode: alertId.slice(-6),
    transactionId: '83773',
    reasonCode: '4837',
  });
  const timestamp = Math.floor(service.clock.now().getTime() / 1000);
  const signature = createHmac('sha256', service.credentials.providers.provider_a)
    .update(`${timestamp}.${body}`)
    .digest('hex');
  const headers = { 'x-signature': `t=${timestamp},v1=${signature}` };
  return service.call('/api/v3/providers/provider_a/alerts', { body, headers });
};

describe('enrollment on the local stack', () => {
  it('progresses over time, reports each step, and matches alerts until it is withdrawn', async () => {
    const id = await enroll([item('CLOCKWORK SHOP')]);
    expect(await readStatus(id)).toBe('PENDING');
    await service.untilIdle();
    await service.clock.advance('PT1M');
    expect(await readStatus(id)).toBe('WAITING FOR PROVIDER');
    expect((await sendAlert('CLOCK00000000001', 'clockwork shop')).body['matched']).toBe(false);
    await service.untilIdle();
    await service.clock.advance('PT5M');
    expect(await readStatus(id)).toBe('ENROLLED');
    expect((await sendAlert('CLOCK00000000002', 'clockwork shop')).body['matched']).toBe(true);
    await service.untilIdle();
    expect(told().map(({ enrollment_request_status: status }) => status)).toEqual(['WAITING FOR PROVIDER', 'ENROLLED']);
    expect(told()[0]).toMatchObject({ action: 'enrollment_request_status_update', request_id: id });
    const taken = await api(`/service_alerts/descriptor_enrollment/${id}/unenroll`, {
      provider: 'provider_a',
      descriptor: 'CLOCKWORK SHOP',
    });
    expect(taken.status).toBe(200);
    expect((await sendAlert('CLOCK00000000003', 'clockwork shop')).body['matched']).toBe(false);
  });

  it('fails and waits where it is marked, also when half a day passes at once', async () => {
    const id = await enroll([item('SURE TO FAIL'), item('IN NEED OF ACTION')]);
    await service.untilIdle();
    await service.clock.advance('PT12H');
    const { body } = await api('/service_alerts/descriptor_enrollments', {
      sid: [service.credentials.site.sid],
      status: ['FAILED'],
      size: 10,
      offset: 0,
    });
    expect(body['totalResult']).toBe(1);
    expect(body['list']).toMatchObject([
      {
        enrollment_request_id: id,
        completed_at: null,
        enrollment_items: [{ status: 'FAILED' }, { status: 'WAITING FOR ACTION' }],
      },
    ]);
  });

  it('keeps its steps over a restart', async () => {
    const id = await enroll([item('RESTARTED SHOP')]);
    await service.untilIdle();
    await service.restart();
    await service.untilIdle();
    await service.clock.advance('PT1H');
    expect(await readStatus(id)).toBe('ENROLLED');
  });
});

describe('onboarding on the local stack', () => {
  it('makes a retailer with its site, tells operations, and refuses the name again', async () => {
    const body = { mid: service.credentials.site.mid, retailer_name: 'Corner Shop', site_name: 'Corner' };
    const first = await api('/merchant/retailer-site-enrollment', body);
    expect(first).toMatchObject({ status: 200, body: { status: 'ok' } });
    await service.untilIdle();
    expect(service.mails().some(({ subject }) => subject.startsWith('New retailer: Corner Shop'))).toBe(true);
    expect(await api('/merchant/retailer-site-enrollment', body)).toMatchObject({
      status: 401,
      body: { status: 'EXC', code: 401, error_msg: { msg: expect.stringContaining('retailer_name') } },
    });
  });
});

describe('informational alerts on the local stack', () => {
  it('are found by a keyword, as JSON and as a form, and counted', async () => {
    for (const n of [1, 2, 3]) await sendAlert(`INFORM000000000${n}`, 'DEMO SHOP', 'FRAUD_NOTICE');
    await service.untilIdle();
    const page = await api('/service_alerts/informalerts', { field: 'descriptor', keyword: 'demo', size: 2, page: 1 });
    expect(page.body).toMatchObject({ totalResult: 3, list: [{ descriptor: 'DEMO SHOP' }, {}] });
    const form = await service.call('/api/v3/service_alerts/informalerts', {
      token: await service.tokenOf('merchant'),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'field=card_number&keyword=1111&size=2&page=2',
    });
    expect(form.body).toMatchObject({ totalResult: 3, list: [{ cardnumber: '411111xxxxxx1111' }] });
  });
});

describe('data sources on the local stack', () => {
  it('have what an administrator adds', async () => {
    const added = await api('/datasource/reseller/add', { name: 'Reseller of the day' }, 'admin');
    expect(added.status).toBe(200);
    const { body } = await api('/datasource/reseller');
    expect(body['list']).toContainEqual({ id: added.body['id'], name: 'Reseller of the day', description: '' });
    expect((await api('/datasource/country')).body['totalResult']).toBeGreaterThan(240);
  });

  it('complains of nothing', () => expect(service.problems).toEqual([]));
});
