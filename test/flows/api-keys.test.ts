import { describe, expect, it } from 'vitest';
import { receive } from '#test/support/personas.ts';
import { useStack } from '#test/support/stack.ts';
import { openShop } from '#test/support/storefront.ts';

const service = await useStack();

const create = async (body: object): Promise<{ id: number; key: string }> => {
  const token = await service.tokenOf('merchant');
  const made = await service.call('/api/v3/api-keys/create', { token, body: { name: 'Order system', ...body } });
  expect(made.status, made.text).toBe(200);
  return made.body as { id: number; key: string };
};
const alertsPath = '/api/v3/service_alerts/alerts';
const post = (token: string, path: string, body: object = {}) => service.call(path, { token, body });
const askCode = async (token: string, path: string, body: object = {}) => {
  const { status, body: answer } = await post(token, path, body);
  return status === 200 ? 'ok' : answer['code'];
};

describe('a program with an API key', () => {
  it('answers an alert, and the history names the key', async () => {
    const { id, key } = await create({ permissions: ['alerts:read', 'alerts:answer'] });
    const alertId = await receive(service);
    expect((await post(key, alertsPath)).body['totalResult']).toBeGreaterThan(0);
    const path = `/api/v3/service_alerts/alert/${alertId}`;
    expect(await askCode(key, `${path}/note`, { note: 'Seen by a program' })).toBe('ok');
    expect(JSON.stringify((await post(key, `${path}/details`)).body)).toContain(`key:${id}`);
  });

  it('is refused what its permissions do not name', async () => {
    const { key } = await create({ permissions: ['alerts:read'] });
    const alertId = await receive(service);
    const { mid, rid, sid } = service.credentials.site;
    const refused = [
      [`/api/v3/service_alerts/alert/${alertId}/note`, { note: 'x' }],
      [`/api/v3/service_alerts/alert/${alertId}/refund`, {}],
      [`/api/v3/site/mid/${mid}/rid/${rid}/sid/${sid}/alert`, { alertapiurl: 'https://elsewhere.example/hook' }],
      ['/api/v3/users/list', {}],
      ['/api/v3/users/create', { username: 'x', name: 'x', role: 'manager' }],
      ['/api/v3/api-keys/create', { name: 'x', permissions: ['refunds'] }],
      ['/api/v3/session/factor/setup', {}],
    ] as const;
    for (const [path, body] of refused) expect(await askCode(key, path, body), path).toBe('permission_missing');
    expect(await askCode(key, '/api/v3/merchant/create', { name: 'x' })).toBe('scope_missing');
  });

  it('makes a change that diverts something if its permissions name that', async () => {
    const { key } = await create({ permissions: ['settings:data'] });
    const { mid, rid, sid } = service.credentials.site;
    expect(
      await askCode(key, `/api/v3/site/mid/${mid}/rid/${rid}/sid/${sid}/alert`, { alert_email: 'a@shop.example' }),
    ).toBe('ok');
    expect(await askCode(key, `/api/v3/site/${sid}/rcode/rotate`)).toBe('permission_missing');
  });

  it('is refused from an address outside its ranges', async () => {
    const own = await create({ permissions: ['alerts:read'], ip_ranges: ['127.0.0.0/8', '::1'] });
    expect(await askCode(own.key, alertsPath)).toBe('ok');
    const other = await create({ permissions: ['alerts:read'], ip_ranges: ['203.0.113.0/24'] });
    expect(await askCode(other.key, alertsPath)).toBe('ip_not_allowed');
  });

  it('is refused a minute after its key was revoked', async () => {
    const { id, key } = await create({ permissions: ['alerts:read'] });
    expect(await askCode(key, alertsPath)).toBe('ok');
    expect(await askCode(await service.tokenOf('merchant'), '/api/v3/api-keys/revoke', { id })).toBe('ok');
    await service.clock.advance('PT1M');
    expect(await askCode(key, alertsPath)).toBe('token_revoked');
  });

  it('sees nothing of a site that its key is not for', async () => {
    const { site, payment_site: other } = service.credentials;
    const { key } = await create({
      permissions: ['alerts:read', 'alerts:answer', 'payments:read'],
      sites: [other.sid],
    });
    const alertId = await receive(service);
    const path = `/api/v3/service_alerts/alert/${alertId}`;
    expect(await askCode(key, alertsPath)).toBe('site_not_allowed');
    expect(await askCode(key, alertsPath, { sid: [site.sid] })).toBe('site_not_allowed');
    expect(await askCode(key, alertsPath, { sid: [other.sid] })).toBe('ok');
    expect(await askCode(key, '/api/v3/reports/alerts', {})).toBe('permission_missing');
    expect(await askCode(key, '/api/v3/service_alerts/alerts/pulse')).toBe('site_not_allowed');
    for (const what of ['details', 'transactions'])
      expect(await askCode(key, `${path}/${what}`)).toBe('alert_not_found');
    for (const named of [{}, { sid: site.sid }, { sid: other.sid }]) {
      const refunded_elsewhere = { date: service.clock.now().toISOString(), reference: 'RF-1' };
      const answer = { status: 'RESOLVED', reason_code: '100.001', refunded_elsewhere, ...named };
      expect(await askCode(key, `${path}/update`, answer), JSON.stringify(named)).toBe('alert_not_found');
    }
    expect(await askCode(key, `${path}/note`, { note: 'x' })).toBe('alert_not_found');
    const { txid } = await openShop(service).pay('10.00');
    expect(await askCode(key, `/api/v3/service_process/transaction/${txid}/details`)).toBe('ok');
    const { key: foreign } = await create({ permissions: ['payments:read', 'refunds'], sites: [site.sid] });
    expect(await askCode(foreign, `/api/v3/service_process/transaction/${txid}/details`)).toBe('transaction_not_found');
    const refund = { amount: '1.00', currency: 'USD' };
    expect(await askCode(foreign, `/api/v3/service_process/transaction/${txid}/processrefund`, refund)).toBe(
      'transaction_not_found',
    );
  });

  it('gets no answer that an idempotency key kept for a program of another site', async () => {
    const { site, payment_site: own } = service.credentials;
    const { txid } = await openShop(service).pay('10.00');
    const refundWith = async (permitted: number) => {
      const { key: token } = await create({ permissions: ['refunds'], sites: [permitted] });
      const body = { amount: '1.00', currency: 'USD' };
      const headers = { 'idempotency-key': 'refund-of-one-site' };
      return service.call(`/api/v3/service_process/transaction/${txid}/processrefund`, { token, body, headers });
    };
    expect((await refundWith(own.sid)).status).toBe(200);
    expect(await refundWith(site.sid)).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
    expect((await refundWith(own.sid)).headers.get('idempotent-replayed')).toBe('true');
  });

  it('sees nothing of another merchant', async () => {
    const { key } = await create({ permissions: ['alerts:read', 'settings:read'] });
    expect(await askCode(key, '/api/v3/merchant/999999/details')).toBe('merchant_not_found');
    expect(await askCode(key, alertsPath, { mid: [999_999] })).toBe('merchant_not_found');
  });

  it('has its requests in a log, without what their paths and bodies name', async () => {
    const { id, key } = await create({ permissions: ['alerts:read'] });
    const path = '/api/v3/service_alerts/alert/4111111111111111';
    const { headers } = await post(key, `${path}/details?note=4111111111111111`, { comment: 'Ada' });
    expect(await askCode(key, '/api/v3/users/list')).toBe('permission_missing');
    await service.untilIdle();
    const { body } = await post(await service.tokenOf('merchant'), '/api/v3/api-keys', { id });
    expect(body['list']).toEqual([
      expect.objectContaining({ method: 'POST', path: '/api/v3/users/list', status: 403 }),
      {
        ...{ at: expect.any(String), request_id: headers.get('x-request-id'), method: 'POST', status: 400 },
        ...{ path: '/api/v3/service_alerts/alert/{alert_id}/details', milliseconds: expect.any(Number) },
      },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/4111|Ada/);
  });
});
