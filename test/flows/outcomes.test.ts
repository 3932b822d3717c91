import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ethocaAlert, ethocaId } from '#test/disputes/providers/ethoca.ts';
import {
  expectNoErrors,
  findDelivery,
  formsFor,
  merchantToken,
  readAlert,
  receive,
  sendSigned,
  settings,
  update,
} from '#test/support/personas.ts';
import { useStack } from '#test/support/stack.ts';

/** From a merchant's answer to its network, on the whole service. */

const service = await useStack();
beforeAll(async () => {
  await settings(service, { status_update_statuses: 'all' });
});

const networks = () => service.stack.networks;
beforeEach(() => {
  networks().clearAll();
  service.sinks.clear('demo');
});

const resolved = (alertId: number, change: object = {}) => ({
  alert_id: String(alertId),
  status: 'RESOLVED',
  reason_code: '100.001',
  alert_outcome_amount: '361.56',
  alert_outcome_currency: 'USD',
  ...change,
});
const inProgress = (alertId: number) => ({ alert_id: String(alertId), status: 'WIP', reason_code: '999.002' });
const answer = async (body: Record<string, unknown>) => expect((await update(service, body)).status).toBe(200);
/** Returns what a network received about an alert; it may still receive what was left of other tests. */
const told = async (alertId: number) => {
  const { provider, provider_case_id } = await readAlert(service, alertId);
  const all = networks().listTold(provider === 'provider_b' ? 'provider_b' : 'provider_a');
  return all
    .filter(({ caseId }) => caseId === provider_case_id)
    .map(({ outcome, accepted }) => ({ outcome, accepted }));
};
const statusForms = (alertId: number) =>
  formsFor(service, alertId)
    .filter((form) => form.get('action') === 'statusupdate')
    .map((form) => Object.fromEntries(form));
const readOutcome = async (alertId: number) =>
  (await readAlert(service, alertId))['provider_outcome'] as Record<string, unknown> | null;
const call = async (path: string, token: string, body: object = {}) =>
  service.call(`/api/v3/service_alerts/${path}`, { token, body });

const caseOfB = async (change: object = {}): Promise<{ alertId: number; caseId: string }> => {
  const caseId = `CASE-${Math.random().toString(36).slice(2)}`;
  const body = {
    ...{ caseId, caseType: 'DISPUTE', status: 'NEW', accountNumber: '423234xxxxxx3773' },
    ...{ transactionDate: '2026-04-30T08:15:00Z', transactionAmount: '39.99', transactionCurrency: 'USD' },
    ...{ descriptor: 'DEMO SHOP', authorizationCode: caseId.slice(-6), ...change },
  };
  const reply = await sendSigned(service, 'provider_b', body);
  expect(reply.status).toBe(200);
  await service.untilIdle();
  return { alertId: Number(reply.body['alert_id']), caseId };
};

describe('an answer', () => {
  it('reaches provider_a, and then the merchant hears when it did', async () => {
    const alertId = await receive(service, { type: 'CONFIRMED_FRAUD' });
    await answer(resolved(alertId));
    expect(await told(alertId)).toEqual([{ outcome: 'STOPPED', accepted: true }]);
    const outcome = await readOutcome(alertId);
    expect(outcome).toMatchObject({ state: 'ACCEPTED', attempts: 1, error: null });
    expect(statusForms(alertId)).toMatchObject([
      { status: 'RESOLVED', reason_code: '100.001', outcome_updated_on: outcome?.['accepted_at'] },
    ]);
  });

  it('reaches provider_b', async () => {
    const { alertId, caseId } = await caseOfB();
    await answer(resolved(alertId, { alert_outcome_amount: '39.99' }));
    expect(networks().listTold('provider_b')).toMatchObject([{ caseId, outcome: '100', accepted: true }]);
    expect(await readOutcome(alertId)).toMatchObject({ state: 'ACCEPTED' });
  });

  it('comes after what was in progress, each once, and each with a status update', async () => {
    const alertId = await receive(service);
    await answer(inProgress(alertId));
    await answer(resolved(alertId));
    expect(await told(alertId)).toEqual([
      { outcome: 'IN_PROGRESS', accepted: true },
      { outcome: 'RESOLVED', accepted: true },
    ]);
    expect(statusForms(alertId).map(({ status }) => status)).toEqual(['WIP', 'RESOLVED']);
  });

  it('that is refused permanently raises an alarm, is mailed to operations, noted, and can be marked by a person', async () => {
    const alertId = await receive(service, { alertId: 'UNKNOWN123456789012345678' });
    await answer(resolved(alertId));
    const outcome = await readOutcome(alertId);
    expect(outcome).toMatchObject({ state: 'REFUSED', error: expect.stringContaining('ALERT_NOT_FOUND') });
    expect(statusForms(alertId)).toMatchObject([
      { outcome_updated_on: '', comments: expect.stringContaining('provider_a has refused this answer') },
    ]);
    expect(service.mails().filter(({ subject }) => subject.includes(String(alertId)))).toHaveLength(1);
    const admin = await service.tokenOf('admin');
    const mark = { state: 'ACCEPTED', note: 'Entered in the portal' };
    expect((await call(`outcome/${outcome?.['id']}/mark`, await merchantToken(service), mark)).status).toBe(403);
    expect(await call(`outcome/${outcome?.['id']}/mark`, admin, mark)).toMatchObject({ body: { state: 'ACCEPTED' } });
    expect(await readOutcome(alertId)).toMatchObject({ state: 'ACCEPTED', error: null });
    const { body } = await call(`outcome/${outcome?.['id']}/details`, admin);
    expect(body).toMatchObject({ marked: { by: service.credentials.admin.username, note: 'Entered in the portal' } });
    const events = ((await readAlert(service, alertId))['history'] as { change: { event: string } }[]).map(
      ({ change }) => change.event,
    );
    expect(events).toEqual(['received', 'updated', 'provider refused the outcome', 'outcome marked']);
    expect(statusForms(alertId)).toHaveLength(1);
  });

  it('in the reply to the notification reaches the network too', async () => {
    const reply = { status: 'DECLINED', reason_code: '902.002' };
    service.sinks.answer('demo', {
      body: JSON.stringify(reply),
      headers: { 'content-type': 'application/json' },
      times: 1,
    });
    const alertId = await receive(service);
    expect(await told(alertId)).toEqual([{ outcome: 'NOT_FOUND', accepted: true }]);
    expect(await readOutcome(alertId)).toMatchObject({ state: 'ACCEPTED' });
  });

  it('of a test alert is sent to no network, and the merchant is notified immediately', async () => {
    const body = { alert_type: 'DISPUTE', currency: 'USD', amount: '12.50', descriptor: 'DEMO SHOP' };
    const made = await service.call('/secure/alerts/service_dummy', { token: await merchantToken(service), body });
    await service.untilIdle();
    const alertId = Number(made.body['alert_id']);
    await answer(resolved(alertId, { alert_outcome_amount: '12.50' }));
    expect(await readOutcome(alertId)).toBeNull();
    expect([...networks().listTold('provider_a'), ...networks().listTold('provider_b')]).toEqual([]);
    expect(statusForms(alertId)).toMatchObject([{ outcome_updated_on: expect.stringMatching(/Z$/) }]);
    expect((await findDelivery(service, alertId, 'status_update')).state).toBe('DELIVERED');
  });
});

describe('the local networks', () => {
  const control = (method: string, path: string, body?: object) =>
    service.call(`/_local/networks/${path}`, { method, ...(body && { body }) });

  it('show what they received, fail as configured, and forget', async () => {
    expect((await control('PUT', 'provider_a', { status: 503, times: 1 })).status).toBe(200);
    const alertId = await receive(service);
    await answer(resolved(alertId));
    expect((await control('GET', 'provider_a')).text).toBe('[]');
    await service.clock.advance('PT1M');
    const list = JSON.parse((await control('GET', 'provider_a')).text);
    expect(list).toMatchObject([{ outcome: 'RESOLVED', accepted: true, body: { refundStatus: 'REFUNDED' } }]);
    await control('DELETE', 'provider_a');
    expect((await control('GET', 'provider_a')).text).toBe('[]');
  });

  it('offer an alert that is fetched, matched, answered, and whose outcome they receive', async () => {
    const alertId = ethocaId();
    const offered = ethocaAlert({ alertId, alertType: 'CUSTOMERDISPUTE', merchantDescriptor: 'DEMO SHOP' });
    expect((await control('POST', 'provider_a', offered)).status).toBe(200);
    expect(await control('POST', 'provider_a', { id: alertId })).toMatchObject({ status: 400 });
    const queue = service.stack.queues.find('forewarn-dev-pull-a');
    if (!queue) throw new Error('There is no queue for fetching alerts');
    service.stack.queues.send(queue, { body: JSON.stringify({ slot: service.clock.now().toISOString() }) });
    await service.untilIdle();
    const [notification] = service.sinks.got('demo').map(({ body }) => new URLSearchParams(body));
    expect(Object.fromEntries(notification ?? [])).toMatchObject({ alert_type: 'DISPUTE', amount: '150.00' });
    await answer(resolved(Number(notification?.get('alert_id')), { alert_outcome_amount: '150.00' }));
    expect(networks().listTold('provider_a')).toMatchObject([{ caseId: alertId, outcome: 'RESOLVED', accepted: true }]);
  });

  it('say what is wrong with how they are asked', async () => {
    expect(await control('GET', 'provider_c')).toMatchObject({ status: 404 });
    expect(await control('PUT', 'provider_a', { status: 7 })).toMatchObject({ status: 400 });
  });
});

describe('a stage without a connection', () => {
  it('leaves the answer to a person, reports so to the merchant, and raises an alarm before the deadline', async () => {
    const secretId = service.stack.endpoints().environment['OUTCOME_PROVIDER_A_SECRET_ID'] ?? '';
    const put = (value: string) =>
      service.stack.secrets.service({
        action: 'PutSecretValue',
        body: { SecretId: secretId, SecretString: value },
      } as never);
    put('{"current":"k1","k1":"as it was generated"}');
    await service.clock.advance('PT6M');
    const alertId = await receive(service);
    await answer(resolved(alertId));
    expect(await readOutcome(alertId)).toMatchObject({ state: 'MANUAL', attempts: 0 });
    expect(statusForms(alertId)).toMatchObject([
      { outcome_updated_on: '', comments: 'an operator reports this answer to provider_a' },
    ]);
    const { body } = await call('outcomes/list', await service.tokenOf('admin'), { state: 'MANUAL' });
    expect(body).toMatchObject({ list: [{ alert_id: alertId }], totalResult: 1 });
    const lines = () => service.invocations.flatMap(({ logs }) => logs);
    const rung = () => lines().filter((line) => line.includes('"outcome_late"') && line.includes(String(alertId)));
    await service.clock.advance('PT21H');
    expect(rung()).toEqual([]);
    await service.clock.advance('PT1H30M');
    expect(rung()).toHaveLength(1);
    put(networks().connection('provider_a', `${service.url}/_local/network/provider_a`));
    await service.clock.advance('PT6M');
    const { id } = (await readOutcome(alertId)) ?? {};
    expect((await call(`outcome/${id}/replay`, await merchantToken(service))).status).toBe(200);
    await service.untilIdle();
    expect(await readOutcome(alertId)).toMatchObject({ state: 'ACCEPTED', attempts: 1 });
  });
});

it('complains of nothing but what was brought about', () =>
  expectNoErrors(service, /"event":"outcome_(refused|expired|late)"/));
