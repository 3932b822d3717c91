import { beforeAll, describe, expect, it } from 'vitest';
import { makeOtherTenant } from '#test/support/other-tenant.ts';
import { findDelivery, receive } from '#test/support/personas.ts';
import { type CallOptions, useStack } from '#test/support/stack.ts';

const service = await useStack({ startTime: '2026-05-02T10:00:00Z' });
let otherTenant: string;
let otherTenantRcode: string;
let alertId: number;
let deliveryId: string;

beforeAll(async () => {
  alertId = await receive(service);
  deliveryId = (await findDelivery(service, alertId, 'new_alert')).id;
  ({ token: otherTenant, rcode: otherTenantRcode } = await makeOtherTenant(service));
});

const answerTo = async (path: string, options: CallOptions) => {
  const { status, text } = await service.call(path, options);
  return { status, text };
};

describe('what belongs to another merchant', () => {
  it.each([
    ['merchant', (id: number | string) => `/api/v3/merchant/${id}/details`, () => service.credentials.site.mid],
    ['retailer', (id: number | string) => `/api/v3/retailer/${id}/details`, () => service.credentials.site.rid],
    ['site', (id: number | string) => `/api/v3/site/${id}/details`, () => service.credentials.site.sid],
    ['site’s rcode', (id: number | string) => `/api/v3/site/${id}/rcode/rotate`, () => service.credentials.site.sid],
    [
      'site’s signing secret',
      (id: number | string) => `/api/v3/site/${id}/signing-secret/rotate`,
      () => service.credentials.site.sid,
    ],
    ['alert', (id: number | string) => `/api/v3/service_alerts/alert/${id}/details`, () => alertId],
    ['notification', (id: number | string) => `/api/v3/notifications/${id}/details`, () => deliveryId],
    ['notification’s replay', (id: number | string) => `/api/v3/notifications/${id}/replay`, () => deliveryId],
  ])('answers like what does not exist: %s', async (_name, pathOf, idOf) => {
    const absent = String(idOf()).startsWith('ntf_') ? 'ntf_1999999999999999' : '999999';
    const options = { token: otherTenant, body: {} };
    const theirs = await answerTo(pathOf(idOf()), options);
    expect(theirs).toEqual(await answerTo(pathOf(absent), options));
    expect(theirs.status).toBe(404);
  });

  it('answers so to an update of an alert too', async () => {
    const body = { status: 'RESOLVED', reason_code: '100.001' };
    const headers = { rcode: otherTenantRcode };
    const theirs = await answerTo('/secure/alert/update/v2/', {
      headers,
      body: { ...body, alert_id: String(alertId) },
    });
    const absent = await answerTo('/secure/alert/update/v2/', {
      headers,
      body: { ...body, alert_id: '1999999999999999' },
    });
    expect(theirs).toEqual(absent);
    expect(theirs.status).toBe(404);
  });

  it.each(['/api/v3/service_alerts/alerts', '/api/v3/notifications/list', '/api/v3/site/list'])(
    'stands in no list: %s',
    async (path) => {
      const { body } = await service.call(path, { token: otherTenant, body: {} });
      expect(JSON.stringify(body['list'])).not.toContain('Demo');
      expect(JSON.stringify(body['list'])).not.toContain(String(alertId));
      const site = service.credentials.site.sid;
      const filtered = await answerTo(path, { token: otherTenant, body: { sid: site } });
      expect(filtered).toEqual(await answerTo(path, { token: otherTenant, body: { sid: 999_999 } }));
    },
  );

  it('is not reached through a site of one’s own: the path must belong together', async () => {
    const { mid, rid, sid } = service.credentials.site;
    const { status } = await service.call(`/api/v3/site/mid/${mid}/rid/${rid}/sid/${sid}/alert`, {
      token: otherTenant,
      body: {},
    });
    expect(status).toBe(404);
    expect((await service.call('/api/v3/merchant/create', { token: otherTenant, body: { name: 'x' } })).status).toBe(
      403,
    );
  });
});
