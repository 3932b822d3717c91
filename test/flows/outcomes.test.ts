import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NetworkFault, type NetworkName } from '#lib/local/networks/network.ts';
import { ethocaAlert, ethocaId } from '#test/disputes/providers/ethoca.ts';
import {
  alertOf,
  deliveryOf,
  expectNoErrors,
  formsFor,
  merchantToken,
  providerAAlert,
  receive,
  sendSigned,
  settings,
  update,
} from '#test/support/personas.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';

/** From a merchant's answer to its network, on the whole service. */

let service: TestStack;
beforeAll(async () => {
  service = await startStack();
  await settings(service, { status_update_statuses: 'all' });
});
afterAll(() => service.stop());

const networks = () => service.stack.networks;
const hurt = (name: NetworkName, fault: v.InferInput<typeof NetworkFault>) =>
  networks().hurt(name, v.parse(NetworkFault, fault));
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
  const { provider, provider_case_id } = await alertOf(service, alertId);
  const all = networks().listTold(provider === 'provider_b' ? 'provider_b' : 'provider_a');
  return all
    .filter(({ caseId }) => caseId === provider_case_id)
    .map(({ outcome, accepted }) => ({ outcome, accepted }));
};
const statusForms = (alertId: number) =>
  formsFor(service, alertId)
    .filter((form) => form.get('action') === 'statusupdate')
    .map((form) => Object.fromEntries(form));
const outcomeOf = async (alertId: number) =>
  (await alertOf(service, alertId))['provider_outcome'] as Record<string, unknown> | null;
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
    const outcome = await outcomeOf(alertId);
    expect(outcome).toMatchObject({ state: 'ACCEPTED', attempts: 1, error: null });
    expect(statusForms(alertId)).toMatchObject([
      { status: 'RESOLVED', reason_code: '100.001', outcome_updated_on: outcome?.['accepted_at'] },
    ]);
  });

  it('reaches provider_b', async () => {
    const { alertId, caseId } = await caseOfB();
    await answer(resolved(alertId, { alert_outcome_amount: '39.99' }));
    expect(networks().listTold('provider_b')).toMatchObject([{ caseId, outcome: '100', accepted: true }]);
    expect(await outcomeOf(alertId)).toMatchObject({ state: 'ACCEPTED' });
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

  it('overtakes what the network has surely not taken', async () => {
    const alertId = await receive(service);
    hurt('provider_a', { recoverable: true });
    await answer(inProgress(alertId));
    networks().clear('provider_a');
    await answer(resolved(alertId));
    expect(await told(alertId)).toEqual([{ outcome: 'RESOLVED', accepted: true }]);
    // Both are due immediately, and each is sent by itself.
    const forms = statusForms(alertId).sort((one, other) =>
      String(other['status']).localeCompare(String(one['status'])),
    );
    expect(forms).toMatchObject([
      { status: 'WIP', outcome_updated_on: '', comments: expect.stringContaining('final answer came') },
      { status: 'RESOLVED', outcome_updated_on: expect.stringMatching(/Z$/) },
    ]);
    const { body } = await call('outcomes/list', await merchantToken(service), { alert_id: alertId });
    expect(body['list']).toMatchObject([{ state: 'ACCEPTED' }, { state: 'SUPERSEDED' }]);
  });

  it('waits for what the network may have taken', async () => {
    const alertId = await receive(service);
    hurt('provider_a', { lost: true, times: 1 });
    await answer(inProgress(alertId));
    await answer(resolved(alertId));
    expect(await told(alertId)).toEqual([{ outcome: 'IN_PROGRESS', accepted: true }]);
    await service.clock.advance('PT2M');
    expect((await told(alertId)).map(({ outcome }) => outcome)).toEqual(['IN_PROGRESS', 'IN_PROGRESS', 'RESOLVED']);
  });

  it('is sent again after 1, 5, 15 and 30 minutes, then every hour; after one, the merchant receives the reason', async () => {
    const alertId = await receive(service);
    const begun = service.clock.now().getTime();
    hurt('provider_a', { status: 503 });
    await answer(resolved(alertId));
    const attemptsOf = async () => Number((await outcomeOf(alertId))?.['attempts']);
    const calls: number[] = [];
    let seen = 0;
    for (const minutes of [1, 4, 10, 15, 30, 60, 60]) {
      await service.clock.advance(`PT${minutes}M`);
      let attempts = await attemptsOf();
      // An attempt ends some time after it was due, and the next one counts from there.
      for (let seconds = 0; seconds < 20 && attempts === seen; seconds += 1) {
        await service.clock.advance('PT1S');
        attempts = await attemptsOf();
      }
      if (attempts > seen) calls.push(Math.round((service.clock.now().getTime() - begun) / 60_000));
      seen = attempts;
    }
    expect(calls).toEqual([1, 5, 15, 30, 60, 120, 180]);
    expect(statusForms(alertId)).toMatchObject([{ outcome_updated_on: '', comments: expect.stringContaining('yet') }]);
    expect(statusForms(alertId)).toHaveLength(1);
  });

  it('is sent later when the network asks for it, and the merchant is notified after an hour', async () => {
    const alertId = await receive(service);
    hurt('provider_a', { status: 429, times: 1, headers: { 'retry-after': '7200' } });
    await answer(resolved(alertId));
    await service.clock.advance('PT61M');
    expect(statusForms(alertId)).toMatchObject([{ outcome_updated_on: '' }]);
    expect(await told(alertId)).toEqual([]);
    await service.clock.advance('PT60M');
    expect(await told(alertId)).toEqual([{ outcome: 'RESOLVED', accepted: true }]);
    expect(statusForms(alertId)).toHaveLength(1);
  });

  it('that is refused permanently raises an alarm, is mailed to operations, noted, and can be marked by a person', async () => {
    const alertId = await receive(service, { alertId: 'UNKNOWN123456789012345678' });
    await answer(resolved(alertId));
    const outcome = await outcomeOf(alertId);
    expect(outcome).toMatchObject({ state: 'REFUSED', error: expect.stringContaining('ALERT_NOT_FOUND') });
    expect(statusForms(alertId)).toMatchObject([
      { outcome_updated_on: '', comments: expect.stringContaining('provider_a has refused this answer') },
    ]);
    expect(service.mails().filter(({ subject }) => subject.includes(String(alertId)))).toHaveLength(1);
    const admin = await service.tokenOf('admin');
    const mark = { state: 'ACCEPTED', note: 'Entered in the portal' };
    expect((await call(`outcome/${outcome?.['id']}/mark`, await merchantToken(service), mark)).status).toBe(403);
    expect(await call(`outcome/${outcome?.['id']}/mark`, admin, mark)).toMatchObject({ body: { state: 'ACCEPTED' } });
    expect(await outcomeOf(alertId)).toMatchObject({ state: 'ACCEPTED', error: null });
    const { body } = await call(`outcome/${outcome?.['id']}/details`, admin);
    expect(body).toMatchObject({ marked: { by: service.credentials.admin.username, note: 'Entered in the portal' } });
    const events = ((await alertOf(service, alertId))['history'] as { change: { event: string } }[]).map(
      ({ change }) => change.event,
    );
    expect(events).toEqual(['received', 'updated', 'provider refused the outcome', 'outcome marked']);
    expect(statusForms(alertId)).toHaveLength(1);
  });

  it('is sent again when a person requests it', async () => {
    const alertId = await receive(service);
    hurt('provider_a', { recoverable: false, times: 1 });
    await answer(resolved(alertId));
    const { id } = (await outcomeOf(alertId)) ?? {};
    const reply = await call(`outcome/${id}/replay`, await merchantToken(service));
    expect(reply).toMatchObject({ status: 200, body: { status: 'ok', id } });
    await service.untilIdle();
    expect(await outcomeOf(alertId)).toMatchObject({ state: 'ACCEPTED', attempts: 2 });
    expect((await call(`outcome/${id}/replay`, await merchantToken(service))).status).toBe(409);
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
    expect(await outcomeOf(alertId)).toMatchObject({ state: 'ACCEPTED' });
  });

  it('names the provider’s own alert that it is a double of', async () => {
    const first = providerAAlert(service);
    const firstId = Number((await sendSigned(service, 'provider_a', first)).body['alert_id']);
    const alertId = await receive(service);
    const details = [{ duplicate_alertid: firstId }];
    await answer({ alert_id: String(alertId), status: 'DECLINED', reason_code: '940.002', tx_details: details });
    expect(networks().listTold('provider_a').slice(-1)).toMatchObject([
      { outcome: 'OTHER', body: { comments: `Duplicate of alert ${first['alertId']}. duplicate alert` } },
    ]);
  });

  it('is not sent any more once the provider has withdrawn its case', async () => {
    const { alertId, caseId } = await caseOfB();
    hurt('provider_b', { status: 503 });
    await answer(resolved(alertId, { alert_outcome_amount: '39.99' }));
    await sendSigned(service, 'provider_b', { caseId, status: 'REVOKED' });
    networks().clear('provider_b');
    await service.clock.advance('PT2M');
    expect(await outcomeOf(alertId)).toMatchObject({ state: 'SUPERSEDED' });
    expect(networks().listTold('provider_b')).toEqual([]);
    expect(statusForms(alertId)).toMatchObject([{ comments: expect.stringContaining('taken the case back') }]);
  });

  it('of a test alert is sent to no network, and the merchant is notified immediately', async () => {
    const body = { alert_type: 'DISPUTE', currency: 'USD', amount: '12.50', descriptor: 'DEMO SHOP' };
    const made = await service.call('/secure/alerts/service_dummy', { token: await merchantToken(service), body });
    await service.untilIdle();
    const alertId = Number(made.body['alert_id']);
    await answer(resolved(alertId, { alert_outcome_amount: '12.50' }));
    expect(await outcomeOf(alertId)).toBeNull();
    expect([...networks().listTold('provider_a'), ...networks().listTold('provider_b')]).toEqual([]);
    expect(statusForms(alertId)).toMatchObject([{ outcome_updated_on: expect.stringMatching(/Z$/) }]);
    expect((await deliveryOf(service, alertId, 'status_update')).state).toBe('DELIVERED');
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
    expect(await outcomeOf(alertId)).toMatchObject({ state: 'MANUAL', attempts: 0 });
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
    const { id } = (await outcomeOf(alertId)) ?? {};
    expect((await call(`outcome/${id}/replay`, await merchantToken(service))).status).toBe(200);
    await service.untilIdle();
    expect(await outcomeOf(alertId)).toMatchObject({ state: 'ACCEPTED', attempts: 1 });
  });
});

it('complains of nothing but what was brought about', () =>
  expectNoErrors(service, /"event":"outcome_(refused|expired|late)"/));
