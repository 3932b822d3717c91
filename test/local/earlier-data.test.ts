import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startStack, type TestStack } from '#test/support/stack.ts';

/**
 * A data folder as the release of before 2026-11-22 wrote it: three alerts of provider_a (answered, open, unmatched), a notice of
 * provider_b, a rule, enrollments, a payment with a refund, a PREAUTH. Whatever changes how rows lie in the table has to read it.
 */
const kept = (name: string) => gunzipSync(readFileSync(`test/local/fixtures/${name}.gz`));

let service: TestStack;
let token: string;
let admin: string;
beforeAll(async () => {
  const files = { 'table.sqlite': kept('table.sqlite'), 'state.sqlite': kept('state.sqlite') };
  service = await startStack({ real: true, files, startTime: 'now' });
  token = await service.tokenOf('merchant');
  admin = await service.tokenOf('admin');
});
afterAll(() => service.stop());

const readList = async (path: string, as = token) => {
  const { status, body } = await service.call(path, { token: as, body: { size: '50', offset: '0' } });
  expect(status).toBe(200);
  return Object(body['list']) as Record<string, unknown>[];
};

describe('data of an earlier release', () => {
  it('lists its alerts, and shows each with its history', async () => {
    const alerts = await readList('/api/v3/service_alerts/alerts');
    const byCase = Object.fromEntries(alerts.map((one) => [String(one['provider_case_id']), one]));
    expect(byCase['FIXTURE-A-1']).toMatchObject({ status: 'RESOLVED', reason_code: '100.001', amount: '361.56' });
    expect(byCase['FIXTURE-A-2']).toMatchObject({ status: 'OPEN', alert_type: 'DISPUTE', descriptor: 'DEMO SHOP' });
    expect(byCase['FIXTURE-B-1']).toMatchObject({ status: 'INFORM', provider: 'provider_b' });
    const { status, body } = await service.call(
      `/api/v3/service_alerts/alert/${String(byCase['FIXTURE-A-1']?.['alert_id'])}/details`,
      { token },
    );
    expect([status, body['mcc'], body['provider_case_id']]).toEqual([200, '5732', 'FIXTURE-A-1']);
    expect(body['history']).toHaveLength(2);
  });

  it('takes an answer to an alert of before', async () => {
    const alerts = await readList('/api/v3/service_alerts/alerts');
    const open = alerts.find((one) => one['provider_case_id'] === 'FIXTURE-A-2');
    const { status, body } = await service.call('/secure/alert/update/v2/', {
      headers: { rcode: service.credentials.site.rcode },
      body: {
        alert_id: String(open?.['alert_id']),
        status: 'DECLINED',
        reason_code: '900.002',
        comments: 'Delivered and signed for.',
      },
    });
    expect([status, body['alert_status']]).toEqual([200, 'DECLINED']);
  });

  it('assigns an unmatched alert of before', async () => {
    const [unmatched] = await readList('/api/v3/service_alerts/unmatched', admin);
    const { status } = await service.call(
      `/api/v3/service_alerts/unmatched/${String(unmatched?.['alert_id'])}/assign`,
      { token: admin, body: { sid: service.credentials.site.sid } },
    );
    expect(status).toBe(200);
  });

  it('lists informational alerts, notifications, rules, enrollments and sites', async () => {
    expect(await readList('/api/v3/service_alerts/informalerts')).toMatchObject([{ provider_caseid: 'FIXTURE-B-1' }]);
    expect((await readList('/api/v3/notifications/list')).length).toBeGreaterThanOrEqual(4);
    expect((await readList('/api/v3/service_alerts/descriptor_enrollments')).length).toBe(2);
    // The 3DS site of the demo merchant is added to a folder that has none.
    expect((await readList('/api/v3/site/list')).length).toBe(3);
    const { status, body } = await service.call('/api/v3/service_alerts/rules/list', {
      token,
      body: { sid: service.credentials.site.sid },
    });
    expect([status, body['list']]).toMatchObject([200, [{ name: 'Small ones', mode: 'live' }]]);
  });

  it('refunds a payment of before no further than what is left of it', async () => {
    const { text } = await service.call('/api/v3/cardtransactions', { token, body: { card_lastfour: 4242 } });
    const rows = JSON.parse(text) as Record<string, unknown>[];
    const payment = rows.find((one) => one['tid'] === 'fixture-1' && one['tx_action'] === 'PAYMENT');
    const refund = (amount: string) =>
      service.call(`/api/v3/service_process/transaction/${String(payment?.['txid'])}/processrefund`, {
        token,
        body: new URLSearchParams({ amount, currency: 'USD' }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    expect((await refund('6.01')).status).toBe(409);
    expect(await refund('6.00')).toMatchObject({ status: 200, body: { status: 'OK', amount: 6 } });
  });

  it('fails in no function', async () => {
    await service.untilIdle();
    expect(service.invocations.filter(({ error }) => error)).toEqual([]);
    expect(service.invocations.flatMap(({ logs }) => logs).filter((line) => line.includes('message_failed'))).toEqual(
      [],
    );
  });
});
