import { afterEach, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { type As, ask, expectDeclared, useOperations } from '#test/support/operations.ts';
import { settings } from './samples.ts';
import { callsDuring, deliveriesAt, fresh, seedClaims, seedSite, take, whileContended } from './seed.ts';

useOperations();
afterEach(() => setClock());

const withAlert = async (sent: Record<string, unknown> = {}) => {
  const site = await seedSite({ alert: settings({ status_update_opt_in: true }) });
  const descriptor = `SHOP ${site.sid}`;
  await seedClaims('provider_a', 'EXACT', descriptor, site);
  const { alert_id: alertId } = await take('provider_a', {
    ...{ alertId: `A${fresh()}`, arn: null, authCode: null, merchantDescriptor: descriptor },
    ...sent,
  });
  return { site, alertId, analyst: { mid: site.mid, role: 'analyst' } as const };
};

const answer = (alertId: number, as: As, change: Record<string, unknown> = {}) =>
  ask('alerts/answer-alert', {
    as,
    params: { alert_id: alertId },
    body: { status: 'RESOLVED', reason_code: '100.003', ...change },
  });
type History = { history: { by: string; via: string }[] };

describe('POST /api/v3/service_alerts/alert/{alert_id}/update', () => {
  it("accepts a person's answer, notifies the site of the status, and records the person", async () => {
    const { site, alertId, analyst } = await withAlert();
    const calls = await callsDuring(async () =>
      expect(await answer(alertId, analyst)).toMatchObject({
        status: 200,
        body: { status: 'ok', alert_id: String(alertId), alert_status: 'RESOLVED', reason_code: '100.003' },
      }),
    );
    // Which site it is says the alert, and whether that wants to hear of it says the site.
    expect(calls).toBe(3);
    const { history } = (await ask('alerts/alert-details', { params: { alert_id: alertId } })).body as History;
    expect(history.at(-1)).toMatchObject({ by: `merchant-${site.mid}`, via: 'dashboard' });
    // The merchant hears of it when the network has accepted it: see docs/alerts.md.
    expect((await deliveriesAt(alertId)).map(({ kind }) => kind)).toEqual(['new_alert']);
    const { provider_outcome: outcome } = Object(
      (await ask('alerts/alert-details', { params: { alert_id: alertId } })).body,
    );
    expect(outcome).toMatchObject({ state: 'PENDING' });
  });

  it('takes two calls from who knows the alert’s site, and no other site or merchant', async () => {
    const { site, alertId, analyst } = await withAlert();
    const strange = await withAlert();
    const none = await answer(fresh(), analyst, { sid: site.sid });
    expect(none.status).toBe(404);
    expect(await answer(alertId, analyst, { sid: strange.site.sid })).toEqual(none);
    expect(await answer(strange.alertId, analyst, { sid: strange.site.sid })).toEqual(none);
    expect(await answer(alertId, analyst, { sid: fresh() })).toEqual(none);
    const calls = await callsDuring(async () =>
      expect(await answer(alertId, analyst, { sid: site.sid })).toMatchObject({ status: 200 }),
    );
    expect(calls).toBe(2);
  });

  it('answers the same to the same, and refuses another outcome', async () => {
    const { alertId, analyst } = await withAlert();
    const first = await answer(alertId, analyst);
    expect((await answer(alertId, analyst)).body).toEqual(first.body);
    expect(await answer(alertId, 'admin', { status: 'DECLINED', reason_code: '902.002' })).toMatchObject({
      status: 409,
    });
  });

  it('is for analysts, managers and operators', async () => {
    const { site, alertId } = await withAlert();
    expect(await answer(alertId, { mid: site.mid, role: 'developer' })).toMatchObject({ status: 403 });
    expect(await answer(alertId, { mid: site.mid, role: 'manager' })).toMatchObject({ status: 200 });
    expect(await answer(alertId, 'admin')).toMatchObject({ status: 200 });
  });

  it('knows another merchant’s alert as little as none, and no alert that no site has yet', async () => {
    const { alertId } = await withAlert();
    const theirs = await answer(alertId, { mid: 1 });
    expect(theirs).toMatchObject({ status: 404 });
    expect(await answer(999_999, { mid: 1 })).toEqual(theirs);
    const nobodys = await take('provider_a', { alertId: `A${fresh()}`, merchantDescriptor: 'NOBODY ENROLLED THIS' });
    expect(await answer(nobodys.alert_id, 'admin')).toMatchObject({ status: 404 });
  });

  it('follows the table of reason codes, and is refused for alerts that inform', async () => {
    const { alertId, analyst } = await withAlert();
    expect(await answer(alertId, analyst, { reason_code: '902.002' })).toMatchObject({ status: 400 });
    const informs = await withAlert({ type: 'FRAUD_NOTICE' });
    expect(await answer(informs.alertId, informs.analyst)).toMatchObject({ status: 409 });
  });

  it('returns 409 when others keep changing the alert', async () => {
    const { alertId, analyst } = await withAlert();
    expect(await whileContended(alertId, () => answer(alertId, analyst))).toMatchObject({ status: 409 });
  });
});

describe('POST /api/v3/service_alerts/reason-codes', () => {
  const codes = async (body: object, as: As = 'admin') =>
    ((await ask('alerts/list-reason-codes', { as, body })).body as { list: { reason_code: string; needs: string[] }[] })
      .list;

  it('lists those of an alert, each with its outcome and with what it needs', async () => {
    const { alertId, analyst } = await withAlert();
    const list = await codes({ alert_id: alertId }, analyst);
    expect(list).toContainEqual({
      reason_code: '100.001',
      meaning: 'the alert allowed fraud to be stopped',
      outcome: 'RESOLVED',
      needs: [],
    });
    expect(list.filter(({ needs }) => needs.includes('comments')).map(({ reason_code }) => reason_code)).toEqual([
      '900.002',
    ]);
    const naming = list.filter(({ needs }) => needs.includes('duplicate_alertid'));
    expect(naming.map(({ reason_code }) => reason_code)).toEqual(['940.001', '940.002', '940.003']);
    expect(list.map(({ reason_code }) => reason_code)).not.toContain('100.002');
  });

  it('lists those of a provider, and none for what takes no answer', async () => {
    for (const provider of ['provider_a', 'provider_b']) {
      const needsAmount = (await codes({ provider })).filter(({ needs }) => needs.includes('alert_outcome_amount'));
      expect(needsAmount.map(({ reason_code }) => reason_code)).toEqual(['101.001']);
    }
    expect(await codes({ provider: 'rdr' })).toEqual([]);
    const { alertId } = await withAlert({ type: 'FRAUD_NOTICE' });
    expect(await codes({ alert_id: alertId })).toEqual([]);
  });

  it.each([
    ['provider_a', '2024-06-18'],
    ['service_dummy', '2024-06-18'],
    ['provider_b', null],
    ['rdr', null],
  ])('names the day since which the codes of %s are in force: %s', async (provider, in_force_since) =>
    expect((await ask('alerts/list-reason-codes', { body: { provider } })).body).toMatchObject({ in_force_since }),
  );

  it.each([[{}], [{ provider: 'provider_c' }], [{ alert_id: 1, provider: 'rdr' }]])('refuses %j', async (body) =>
    expect(await ask('alerts/list-reason-codes', { body })).toMatchObject({ status: 400 }),
  );

  it('does not find other merchants’ alerts', async () => {
    const { alertId } = await withAlert();
    expect(await ask('alerts/list-reason-codes', { as: { mid: 1 }, body: { alert_id: alertId } })).toMatchObject({
      status: 404,
    });
  });
});

it('does what its operations declare', () => {
  for (const name of ['alerts/answer-alert', 'alerts/list-reason-codes']) expectDeclared(name);
});
