import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  findDelivery,
  formsFor,
  listDeliveries,
  readAlert,
  receive,
  sendSigned,
  settings,
  update,
} from '#test/support/personas.ts';
import { useStack } from '#test/support/stack.ts';

const service = await useStack({ startTime: '2026-05-02T10:00:00Z' });
beforeAll(async () => {
  await settings(service, { status_update_statuses: 'all' });
});
beforeEach(() => service.sinks.clear('demo'));

const statusForms = (alertId: number) =>
  formsFor(service, alertId).filter((form) => form.get('action') === 'statusupdate');

describe('a merchant’s answer', () => {
  it('is reported back when the status changes, and only then', async () => {
    const alertId = await receive(service);
    const wip = { alert_id: String(alertId), status: 'WIP', reason_code: '999.002' };
    expect((await update(service, wip)).body).toMatchObject({ status: 'ok', alert_status: 'WIP' });
    expect(statusForms(alertId)).toHaveLength(1);
    await update(service, { ...wip, merchant_notes: 'asked the warehouse' });
    expect(statusForms(alertId)).toHaveLength(1);
    const outcome = {
      alert_id: String(alertId),
      status: 'DECLINED',
      reason_code: '900.002',
      comments: 'The goods were signed for',
    };
    await update(service, outcome);
    expect(Object.fromEntries(statusForms(alertId)[1] ?? [])).toMatchObject({
      action: 'statusupdate',
      alert_id: String(alertId),
      status: 'DECLINED',
      reason_code: '900.002',
      comments: 'The goods were signed for',
    });
    expect((await update(service, outcome)).status).toBe(200);
    expect(statusForms(alertId)).toHaveLength(2);
    const other = await update(service, { ...outcome, status: 'RESOLVED', reason_code: '100.001' });
    expect([other.status, other.body['msg']]).toEqual([409, 'The alert already has another outcome']);
  });

  it('is not told back to a site that opted out', async () => {
    await settings(service, { status_update_opt_in: false });
    const alertId = await receive(service);
    await update(service, { alert_id: String(alertId), status: 'RESOLVED', reason_code: '100.001' });
    expect((await listDeliveries(service, alertId)).map(({ kind }) => kind)).toEqual(['new_alert']);
    await settings(service, { status_update_opt_in: true });
  });

  it.each([
    [
      'application/json',
      (id: number) => JSON.stringify({ alert_id: String(id), status: 'RESOLVED', reason_code: '100.001' }),
    ],
    ['application/x-www-form-urlencoded', (id: number) => `alert_id=${id}&status=RESOLVED&reason_code=100.001`],
  ])('may stand in the reply to the notification, as %s', async (type, bodyFor) => {
    service.sinks.answer('demo', { status: 500, times: 1 });
    const alertId = await receive(service);
    service.sinks.answer('demo', { status: 200, body: bodyFor(alertId), headers: { 'content-type': type }, times: 1 });
    await service.clock.advance('PT12H');
    expect(await readAlert(service, alertId)).toMatchObject({ status: 'RESOLVED', reason_code: '100.001' });
    expect((await findDelivery(service, alertId, 'new_alert')).state).toBe('DELIVERED');
    expect(statusForms(alertId)).toHaveLength(1);
  });

  it('is noted on the delivery when the reply contains a bad one, and the delivery remains', async () => {
    service.sinks.answer('demo', { status: 200, body: '{"status":"RESOLVED","reason_code":"900.001"}', times: 1 });
    const alertId = await receive(service);
    expect(await readAlert(service, alertId)).toMatchObject({ status: 'OPEN' });
    const { id, state } = await findDelivery(service, alertId, 'new_alert');
    const token = await service.tokenOf('merchant');
    const { body } = await service.call(`/api/v3/notifications/${id}/details`, { token });
    expect(state).toBe('DELIVERED');
    expect(body['attempts']).toMatchObject([
      { status: 200, reply_update: { accepted: false, reason: expect.stringContaining('reason_code_invalid') } },
    ]);
  });

  it('is late after the deadline, and still taken', async () => {
    const alertId = await receive(service, { type: 'CONFIRMED_FRAUD' });
    await service.clock.advance('PT24H1M');
    expect(await readAlert(service, alertId)).toMatchObject({ deadline_passed: true, status: 'OPEN' });
    await update(service, { alert_id: String(alertId), status: 'RESOLVED', reason_code: '100.001' });
    expect(await readAlert(service, alertId)).toMatchObject({ status: 'RESOLVED', late: true });
  });

  it('is warned of six hours before the deadline, where the site asked for it', async () => {
    await settings(service, { deadline_warning: true });
    const alertId = await receive(service, { type: 'CONFIRMED_FRAUD' });
    await service.clock.advance('PT17H59M');
    expect((await listDeliveries(service, alertId)).map(({ kind }) => kind)).toEqual(['new_alert']);
    await service.clock.advance('PT2M');
    expect(await findDelivery(service, alertId, 'alert_deadline')).toMatchObject({ state: 'DELIVERED' });
    await settings(service, { deadline_warning: false });
    const quiet = await receive(service, { type: 'CONFIRMED_FRAUD' });
    await service.clock.advance('PT23H');
    expect((await listDeliveries(service, quiet)).map(({ kind }) => kind)).toEqual(['new_alert']);
  });

  it('takes its deadline’s schedule away', async () => {
    const alertId = await receive(service);
    const schedule = () =>
      service.stack.schedules.get(process.env['SCHEDULE_GROUP_NAME'] ?? '', `alert-${alertId}-warn`);
    expect(schedule()).toMatchObject({ ScheduleExpression: expect.stringMatching(/^at\(/) });
    await update(service, { alert_id: String(alertId), status: 'RESOLVED', reason_code: '100.001' });
    expect(schedule()).toBeUndefined();
  });
});

describe('an alert that matches no merchant', () => {
  it('waits in the inbox until an administrator assigns it to a site, and is an alert like any other from then on', async () => {
    const alertId = await receive(service, { merchantDescriptor: 'WHO IS THIS' });
    expect(formsFor(service, alertId)).toEqual([]);
    const admin = await service.tokenOf('admin');
    const inbox = await service.call('/api/v3/service_alerts/unmatched', { token: admin, body: {} });
    expect(inbox.body['list']).toMatchObject([{ alert_id: alertId }]);
    expect(
      (await service.call('/api/v3/service_alerts/unmatched', { token: await service.tokenOf('merchant') })).status,
    ).toBe(403);
    const path = `/api/v3/service_alerts/unmatched/${alertId}/assign`;
    const assigned = await service.call(path, { token: admin, body: { sid: service.credentials.site.sid } });
    expect(assigned.body).toEqual({ status: 'ok', alert_id: alertId });
    await service.untilIdle();
    expect(formsFor(service, alertId)).toHaveLength(1);
    expect(
      (await update(service, { alert_id: String(alertId), status: 'RESOLVED', reason_code: '100.001' })).status,
    ).toBe(200);
    expect((await service.call('/api/v3/service_alerts/unmatched', { token: admin, body: {} })).body['list']).toEqual(
      [],
    );
  });
});

describe('a network’s decision', () => {
  const decision = {
    decisionId: '4ad593b4-e751-4b43-9ade-a9406d1ae2ba',
    event: 'DECISION',
    decision: 'DECLINED',
    declineCode: 'D07',
    caseDate: '2026-05-01T09:17:28Z',
    paymentDescriptor: 'ONLINE*MERCHANT',
    acquirerBin: '423223',
    cardAcceptorId: '1231231',
    transactionId: '2837347837383',
    cardBin: '423223',
    cardLast4: '2476',
    authCode: '300001',
    transactionDate: '2026-04-17T09:17:28Z',
    arn: '43853968624382884877396',
    mcc: '4899',
    reasonCode: '10.4',
    transactionAmount: '12.00',
    transactionCurrency: 'USD',
    caseAmount: '12.00',
    caseCurrency: 'USD',
  };

  it('is reported with what was done, accepts no outcome, and its end is reported too', async () => {
    const { body } = await sendSigned(service, 'rdr', decision);
    await service.untilIdle();
    const alertId = Number(body['alert_id']);
    expect(Object.fromEntries(formsFor(service, alertId)[0] ?? [])).toMatchObject({
      alert_type: 'DISPUTE_RDR',
      alert_action: 'DECLINED',
      rdr_reason_code: 'D07',
      bin: '423223',
      caid: '1231231',
    });
    expect(
      (await update(service, { alert_id: String(alertId), status: 'RESOLVED', reason_code: '100.001' })).status,
    ).toBe(409);
    await sendSigned(service, 'rdr', { ...decision, event: 'DELETE' });
    await service.untilIdle();
    const told = Object.fromEntries(statusForms(alertId)[0] ?? []);
    expect(told).toMatchObject({ status: 'RDR_DELETE', reason_code: '' });
    expect(told).not.toHaveProperty('merchant_update_on');
  });
});

describe('a test alert', () => {
  const test = {
    alert_type: 'FRAUD',
    currency: 'USD',
    amount: '10.00',
    descriptor: 'DEMO*TEST',
    card: '411111xxxxxx1111',
  };
  const send = async (body: object) => {
    const reply = await service.call('/secure/alerts/service_dummy', {
      token: await service.tokenOf('merchant'),
      body,
    });
    await service.untilIdle();
    return reply;
  };

  it('runs the whole workflow, mail included, and says that it is a test', async () => {
    const mails = service.mails().length;
    const { status, body } = await send(test);
    expect(status).toBe(200);
    const alertId = Number(body['alert_id']);
    expect(formsFor(service, alertId)[0]?.get('provider')).toBe('service_dummy');
    expect(await readAlert(service, alertId)).toMatchObject({ test: true, provider: 'service_dummy' });
    expect(service.mails()).toHaveLength(mails + 1);
    expect(
      (await update(service, { alert_id: String(alertId), status: 'RESOLVED', reason_code: '100.001' })).status,
    ).toBe(200);
  });

  it('says which step of onboarding is missing', async () => {
    const { status, body } = await send({ ...test, descriptor: 'NOT ENROLLED' });
    expect([status, body['msg']]).toEqual([409, 'Onboarding is not complete']);
    expect(body['details']).toMatch(/descriptor/i);
  });
});

it('never complained', () => expect(service.problems).toEqual([]));
