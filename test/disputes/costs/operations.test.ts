import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { toMerchantItem } from '#accounts/merchants/merchant/merchant-row.ts';
import type { Site } from '#accounts/merchants/site/site.ts';
import { setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem } from '#core/platform/table/table.ts';
import { type Alert, createAlert } from '#disputes/alerts/alert.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import { applyUpdate } from '#disputes/alerts/answer/update.ts';
import { fromCostItem } from '#disputes/alerts/cost/cost-row.ts';
import { keepCosts } from '#disputes/costs/cost-store.ts';
import { maxPrices } from '#disputes/costs/price.ts';
import { toPricesItem } from '#disputes/costs/price-row.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';
import { handler as counter } from '#jobs/counter/handler.ts';
import { tallyAlerts, tallyAll } from '#jobs/tally-store.ts';
import { aProviderAlert } from '#test/disputes/alerts/samples.ts';
import { callsDuring, seedSite } from '#test/disputes/alerts/seed.ts';
import { ask, beforeTransactions, expectDeclared, useOperations } from '#test/support/operations.ts';

useOperations();

const noon = '2026-05-02T12:00:00.000Z';
beforeEach(() => {
  setClock(() => Date.parse(noon));
  beforeTransactions();
});

const seedMerchant = async (): Promise<Site> => {
  const site = await seedSite();
  const { mid, createdAt } = site;
  await putItem(toMerchantItem({ mid, name: 'Merchant', createdAt, profile: {} }));
  return site;
};
const setPrice = async ({ mid }: Site, body: object) => {
  const sent = { provider: 'provider_a', price: '25', currency: 'USD', ...body };
  return ask('costs/set-alert-prices', { params: { mid }, body: sent });
};

let lastId = 1_800_000_000_000_000;
const newAlert = (site: Site, providerAlert: Partial<ProviderAlert> = {}, receivedAt = noon): Alert => {
  lastId += 1;
  const notice = aProviderAlert({ type: 'DISPUTE', amount: '100.00', caseId: `CASE-${lastId}`, ...providerAlert });
  return createAlert(lastId, notice, receivedAt, { site, matchedDescriptor: 'SHOP*' });
};
const write = async (alert: Alert): Promise<Alert> => {
  await putItem(toAlertItem(alert));
  return alert;
};
/** An alert with its cost, as the counter would have made it. */
const seedAlert = async (site: Site, change: Partial<Alert> = {}): Promise<number> => {
  const { alertId } = await write({ ...newAlert(site), ...change });
  await keepCosts([alertId]);
  return alertId;
};
const answer = async (alert: Alert, reason_code = '100.001', status: 'RESOLVED' | 'DECLINED' = 'RESOLVED') =>
  write(applyUpdate(alert, { status, reason_code }, new Set(), noon) ?? alert);

const report = async ({ mid }: Site, body: object = {}) => {
  const span = { from: '2026-05-01', to: '2026-05-31', ...body };
  return (await ask('costs/alert-costs', { as: { mid }, body: span })).body as {
    list: { date: string }[];
    totals: Record<string, unknown>;
  };
};
/** Returns the other report's figures, which are stored in the same rows. */
const figures = async ({ mid }: Site) => {
  const { body } = await ask('reports/alert-report', { as: { mid }, body: { from: '2026-05-01', to: '2026-05-31' } });
  return body as { list: { date: string }[]; totals: Record<string, unknown> };
};
const usd = (amount: string) => [{ currency: 'USD', amount }];

describe('prices', () => {
  it('are added, kept in order and shown with who set them', async () => {
    const site = await seedMerchant();
    expect(await setPrice(site, {})).toMatchObject({ status: 200 });
    await setPrice(site, {
      provider: 'provider_b',
      tier: '1',
      alert_type: 'DISPUTE',
      price: '29.5',
      from: '2026-06-01',
    });
    const { body } = await ask('costs/alert-price-details', { as: { mid: site.mid }, params: { mid: site.mid } });
    const set = { currency: 'USD', set_at: noon, set_by: 'root' };
    expect(body).toEqual({
      mid: site.mid,
      prices: [
        { provider: 'provider_a', tier: null, alert_type: null, price: '25.00', from: noon, ...set },
        {
          ...{ provider: 'provider_b', tier: '1', alert_type: 'DISPUTE', price: '29.50' },
          ...{ from: '2026-06-01T00:00:00.000Z', ...set },
        },
      ],
      chargeback_fees: [],
    });
  });

  it('may begin today, and not before', async () => {
    const site = await seedMerchant();
    expect(await setPrice(site, { from: '2026-05-02' })).toMatchObject({ status: 200 });
    expect(await setPrice(site, { from: '2026-05-01' })).toMatchObject({
      status: 400,
      body: { details: expect.stringContaining('from: ') },
    });
  });

  it('are the administrator’s to set and the merchant’s to see', async () => {
    const site = await seedMerchant();
    const params = { mid: site.mid };
    expect(await ask('costs/set-alert-prices', { as: { mid: site.mid }, params, body: {} })).toMatchObject({
      status: 403,
    });
    expect(await ask('costs/set-alert-prices', { params: { mid: 9 }, body: {} })).toMatchObject({ status: 400 });
    expect(await setPrice({ ...site, mid: 9 }, {})).toMatchObject({ status: 404 });
    expect(await ask('costs/alert-price-details', { as: { mid: 9 }, params })).toMatchObject({ status: 404 });
  });

  it('are none lost when two are set at the same moment', async () => {
    const site = await seedMerchant();
    await Promise.all(['1', '2', '3'].map((price) => setPrice(site, { price })));
    const { body } = await ask('costs/alert-price-details', { params: { mid: site.mid } });
    expect((body as { prices: unknown[] }).prices).toHaveLength(3);
  });

  it('return 409 when others keep changing them', async () => {
    const site = await seedMerchant();
    let version = 0;
    beforeTransactions(async () => {
      version += 1;
      await putItem(toPricesItem(site.mid, { list: [], version }));
    });
    expect(await setPrice(site, {})).toMatchObject({ status: 409 });
  });

  it('are so many and no more', async () => {
    const site = await seedMerchant();
    const one = { provider: 'rdr', tier: null, alertType: null, price: '5.00', currency: 'USD' } as const;
    const list = Array.from({ length: maxPrices }, () => ({ ...one, from: noon, setAt: noon, setBy: 'root' }));
    await putItem(toPricesItem(site.mid, { list, version: 7 }));
    expect(await setPrice(site, {})).toMatchObject({ status: 409 });
  });
});

let sequence = 0;
const toRecord = (after: Alert, before?: Alert): DynamoDBRecord => {
  sequence += 1;
  const image = (alert: Alert) => marshall(toAlertItem(alert), { removeUndefinedValues: true });
  const images = { NewImage: image(after), ...(before && { OldImage: image(before) }) };
  return { dynamodb: { SequenceNumber: String(sequence), ...images } } as DynamoDBRecord;
};

describe('the counter', () => {
  it('says the price of an alert once, and follows what becomes of it', async () => {
    const site = await seedMerchant();
    await setPrice(site, {});
    const received = await write(newAlert(site));
    await counter({ Records: [toRecord(received)] });
    await counter({ Records: [toRecord(received)] });
    const resolved = await answer(received);
    await counter({ Records: [toRecord(received), toRecord(resolved, received)] });
    await counter({ Records: [toRecord(received)] });
    const { body } = await ask('alerts/alert-details', {
      as: { mid: site.mid },
      params: { alert_id: received.alertId },
    });
    expect((body as { cost: object }).cost).toEqual({
      ...{ price: '25.00', price_currency: 'USD', credit: 'none', credit_reason: null, credit_evidence: {} },
      ...{ saved: '100.00', saved_currency: 'USD' },
      entries: [
        { at: noon, by: 'service', price: '25.00', price_currency: 'USD' },
        { at: noon, by: 'service', saved: '100.00', saved_currency: 'USD' },
      ],
    });
    expect((await report(site)).totals).toMatchObject({
      ...{ alerts: 1, spent: usd('25.00'), prevented: 1, saved: usd('100.00'), cost_per_prevented: usd('25.00') },
    });
  });

  it('costs a batch of alerts three calls', async () => {
    const site = await seedMerchant();
    const alerts = await Promise.all(Array.from({ length: 20 }, () => write(newAlert(site))));
    expect(await callsDuring(() => keepCosts(alerts.map(({ alertId }) => alertId)))).toBe(3);
    expect(await callsDuring(() => keepCosts(alerts.map(({ alertId }) => alertId)))).toBe(1);
  });

  it('counts alerts of so many merchants that they do not fit into one transaction', async () => {
    const sites = await Promise.all(Array.from({ length: 24 }, seedSite));
    const alerts = await Promise.all(sites.map(async (site) => answer(newAlert(site))));
    setClock(() => Date.parse('2026-05-03T09:00:00.000Z'));
    // A row for the alert, and one for each of two days of its merchant and its site.
    await tallyAlerts(alerts.map(({ alertId }) => alertId));
    for (const site of sites) {
      expect((await report(site)).list).toMatchObject([{ alerts: 1, prevented: 0 }, { prevented: 1 }]);
      expect((await figures(site)).totals).toMatchObject({ received: 1, resolved: 1 });
    }
  });

  it('adds up right whatever comes how often, in whatever order and at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(fc.integer({ min: 0, max: 3 }), fc.constantFrom('keep', 'resolve', 'decline', 'double', 'claim')),
          { minLength: 1, maxLength: 16 },
        ),
        async (steps) => {
          const site = await seedMerchant();
          await setPrice(site, {});
          const alerts = await Promise.all(Array.from({ length: 4 }, () => write(newAlert(site))));
          const ids = alerts.map(({ alertId }) => alertId);
          for (const [which, step] of steps) {
            const alert = alerts[which] ?? newAlert(site);
            if (step === 'resolve' || step === 'decline') {
              const isResolved = step === 'resolve';
              const isOpen = alert.status === 'OPEN';
              if (isOpen) {
                alerts[which] = await (isResolved ? answer(alert) : answer(alert, '901.002', 'DECLINED'));
              }
            } else if (step === 'double') alerts[which] = await write({ ...alert, duplicateOf: 7 });
            else if (step === 'claim') {
              const body = { state: 'claimed', reason: 'duplicate' };
              await ask('costs/set-credit', { as: { mid: site.mid }, params: { alert_id: alert.alertId }, body });
            } else await Promise.all([tallyAlerts(ids), keepCosts(ids.toReversed()), tallyAlerts([alert.alertId])]);
          }
          await Promise.all([tallyAlerts(ids), tallyAlerts(ids)]);
          const costs = (await Promise.all(ids.map((id) => getItem(keys.alertCost(id))))).map(fromCostItem);
          const { totals } = await report(site);
          const count = (state: string) => costs.filter((cost) => cost?.credit.state === state).length;
          const saved = costs.filter((cost) => cost?.saved).length;
          expect(totals).toMatchObject({
            ...{ alerts: 4, spent: usd('100.00'), prevented: saved },
            saved: saved === 0 ? [] : usd(`${saved}00.00`),
            claimable: { alerts: count('claimable') },
            claimed: { alerts: count('claimed') },
          });
          const fates = alerts.map(({ status }) => status);
          const fate = (status: string) => fates.filter((one) => one === status).length;
          expect((await figures(site)).totals).toMatchObject({
            ...{ received: 4, open: fate('OPEN'), resolved: fate('RESOLVED'), declined: fate('DECLINED') },
          });
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe('the report', () => {
  it('counts a price on the day of its alert, and what becomes of it on the day it does', async () => {
    const site = await seedMerchant();
    const first = { from: '2026-05-02', price: '20' };
    await setPrice(site, first);
    setClock(() => Date.parse('2026-05-03T09:00:00.000Z'));
    const receivedAt = '2026-05-03T08:00:00.000Z';
    const { alertId } = await write(newAlert(site, {}, receivedAt));
    await keepCosts([alertId]);
    setClock(() => Date.parse('2026-06-04T09:00:00.000Z'));
    const body = { state: 'granted', reason: 'refunded_before', note: 'till' };
    await ask('costs/set-credit', { params: { alert_id: alertId }, body });
    const { list, totals } = await report(site, { to: '2026-06-30' });
    expect(list).toMatchObject([
      { date: '2026-05-03', alerts: 1, spent: usd('20.00'), granted: { alerts: 0, amounts: [] } },
      { date: '2026-06-04', alerts: 0, spent: [], granted: { alerts: 1, amounts: usd('20.00') } },
    ]);
    expect(totals).toMatchObject({ alerts: 1, granted: { alerts: 1 }, prevented: 0, cost_per_prevented: [] });
    const months = await report(site, { to: '2026-06-30', group: 'month' });
    expect(months.list.map(({ date }) => date)).toEqual(['2026-05', '2026-06']);
  });

  it('shows what left a state as less of it', async () => {
    const site = await seedMerchant();
    await setPrice(site, {});
    const alertId = await seedAlert(site, { duplicateOf: 7 });
    setClock(() => Date.parse('2026-05-09T09:00:00.000Z'));
    await ask('costs/set-credit', { as: { mid: site.mid }, params: { alert_id: alertId }, body: { state: 'claimed' } });
    const { list, totals } = await report(site);
    expect(list).toMatchObject([
      { date: '2026-05-02', claimable: { alerts: 1, amounts: usd('25.00') } },
      { date: '2026-05-09', claimable: { alerts: -1, amounts: usd('-25.00') }, claimed: { alerts: 1 } },
    ]);
    expect(totals).toMatchObject({ claimable: { alerts: 0, amounts: [] }, claimed: { amounts: usd('25.00') } });
  });

  it('adds what an earlier release has counted, in rows of its own', async () => {
    const site = await seedMerchant();
    await setPrice(site, {});
    const [, cost] = [await seedAlert(site), { 'alerts|provider_a|n': 2, 'spent|provider_a|USD': 5000 }];
    const days = ['2026-05-01', '2026-05-02'].map((day) => ({ ...keys.costDay(`M${site.mid}`, day), day }));
    for (const day of days) await putItem({ ...day, entity: 'COST_DAY', ...cost });
    const { list, totals } = await report(site);
    expect(list).toMatchObject([
      { date: '2026-05-01', alerts: 2, spent: usd('50.00') },
      { date: '2026-05-02', alerts: 3, spent: usd('75.00') },
    ]);
    expect(totals).toMatchObject({ alerts: 5, spent: usd('125.00') });
  });

  it('shares its days with the report of what became of the alerts, and neither shows the other a day', async () => {
    const site = await seedMerchant();
    await setPrice(site, {});
    const { alertId } = await write(newAlert(site, {}, '2026-05-02T11:00:00.000Z'));
    await tallyAlerts([alertId]);
    setClock(() => Date.parse('2026-05-09T09:00:00.000Z'));
    const body = { state: 'claimed', reason: 'not_ours' };
    await ask('costs/set-credit', { as: { mid: site.mid }, params: { alert_id: alertId }, body });
    expect((await report(site)).list.map(({ date }) => date)).toEqual(['2026-05-02', '2026-05-09']);
    expect(await figures(site)).toMatchObject({ list: [{ date: '2026-05-02', received: 1 }], totals: { received: 1 } });
  });

  it('covers one site or some providers, and no other merchant', async () => {
    const [site, other] = [await seedMerchant(), await seedMerchant()];
    await setPrice(site, {});
    await seedAlert(site);
    expect((await report(site, { sid: site.sid })).totals).toMatchObject({ alerts: 1 });
    expect((await report(site, { provider: 'provider_b' })).totals).toMatchObject({ alerts: 0, spent: [] });
    expect((await report(other)).totals).toMatchObject({ alerts: 0 });
    const span = { from: '2026-05-01', to: '2026-05-31' };
    const status = async (as: 'admin' | { mid: number }, body: object) =>
      (await ask('costs/alert-costs', { as, body: { ...span, ...body } })).status;
    expect(await status({ mid: other.mid }, { mid: site.mid })).toBe(404);
    expect(await status({ mid: other.mid }, { sid: site.sid })).toBe(404);
    expect(await status('admin', { mid: other.mid, sid: site.sid })).toBe(404);
    expect(await status('admin', {})).toBe(400);
    expect(await status('admin', { mid: site.mid })).toBe(200);
  });
});

describe('a claim that is taken back', () => {
  it('leaves at once what stays: what the alert shows, and no amount of it on the day', async () => {
    const site = await seedMerchant();
    await setPrice(site, {});
    const as = { mid: site.mid };
    const move = async (alertId: number, body: object) =>
      (await ask('costs/set-credit', { as, params: { alert_id: alertId }, body })).body;
    const [plain, double] = [await seedAlert(site), await seedAlert(site, { duplicateOf: 7 })];
    for (const alertId of [plain, double]) await move(alertId, { state: 'claimed', reason: 'not_ours', note: 'no' });
    const none = await move(plain, { state: 'claimable' });
    expect(none).toMatchObject({ credit: 'none', credit_reason: null, credit_evidence: {} });
    expect(await move(plain, { state: 'claimable' })).toEqual(none);
    expect(await move(double, { state: 'claimable' })).toMatchObject({
      ...{ credit: 'claimable', credit_reason: 'duplicate', credit_evidence: { duplicate_alertid: 7 } },
    });
    expect((await report(site)).totals).toMatchObject({
      claimable: { alerts: 1 },
      claimed: { alerts: 0, amounts: [] },
    });
  });
});

describe('credits', () => {
  const list = async (as: 'admin' | { mid: number }, body: object = {}) =>
    (await ask('costs/list-credits', { as, body })).body as { list: { alert_id: number }[] };

  it('are listed with what shows them, by state, reason, site and date', async () => {
    const site = await seedMerchant();
    await setPrice(site, {});
    const as = { mid: site.mid };
    await seedAlert(site);
    const alertId = await seedAlert(site, { duplicateOf: 7 });
    expect((await list(as)).list).toEqual([
      {
        ...{ alert_id: alertId, mid: site.mid, rid: site.rid, sid: site.sid, provider: 'provider_a' },
        ...{ provider_case_id: expect.any(String), alert_type: 'DISPUTE', alert_date: noon, state: 'claimable' },
        ...{ reason: 'duplicate', evidence: { duplicate_alertid: 7 }, price: '25.00', currency: 'USD' },
        ...{ changed_at: noon, changed_by: 'service' },
      },
    ]);
    const ids = async (body: object) => (await list(as, body)).list.map(({ alert_id }) => alert_id);
    expect(await ids({ state: 'claimable', reason: 'duplicate', sid: site.sid })).toEqual([alertId]);
    expect(await ids({ rid: site.rid, reason: ['not_ours'] })).toEqual([]);
    expect(await ids({ state: 'claimed' })).toEqual([]);
    expect([await ids({ rid: site.rid }), await ids({ sid: site.sid })]).toEqual([[alertId], [alertId]]);
    expect(await ids({ offset: 100 })).toEqual([]);
    expect(await ids({ date_to: '2026-05-01' })).toEqual([]);
    expect((await list('admin', { state: ['claimable'] })).list.length).toBeGreaterThan(0);
    expect((await list('admin')).list.length).toBeGreaterThan(0);
  });

  it('are hidden from other merchants', async () => {
    const [site, other] = [await seedMerchant(), await seedMerchant()];
    const as = { mid: other.mid };
    const alertId = await seedAlert(site, { duplicateOf: 7 });
    expect((await list(as)).list).toEqual([]);
    const statuses = await Promise.all(
      [{ mid: site.mid }, { rid: site.rid }, { sid: site.sid }].map((body) => ask('costs/list-credits', { as, body })),
    );
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404]);
    const change = { params: { alert_id: alertId }, body: { state: 'claimed' } };
    expect(await ask('costs/set-credit', { as, ...change })).toMatchObject({ status: 404 });
  });

  it('are claimed by the merchant and granted by an operator; the same again answers the same', async () => {
    const site = await seedMerchant();
    const as = { mid: site.mid };
    const params = { alert_id: await seedAlert(site, { duplicateOf: 7 }) };
    const claim = { as, params, body: { state: 'claimed', note: 'both networks sent it' } };
    const { body } = await ask('costs/set-credit', claim);
    expect(body).toEqual({
      ...{ status: 'ok', alert_id: params.alert_id, credit: 'claimed', credit_reason: 'duplicate' },
      credit_evidence: { duplicate_alertid: 7, note: 'both networks sent it' },
    });
    expect((await ask('costs/set-credit', claim)).body).toEqual(body);
    expect(await ask('costs/set-credit', { as, params, body: { state: 'granted' } })).toMatchObject({ status: 403 });
    expect(await ask('costs/set-credit', { params, body: { state: 'granted' } })).toMatchObject({ status: 200 });
    expect(await ask('costs/set-credit', { params, body: { state: 'claimed' } })).toMatchObject({ status: 409 });
  });

  it('are possible before the counter has come, and for no test alert', async () => {
    const site = await seedMerchant();
    const { alertId } = await write(newAlert(site));
    const body = { state: 'claimed', reason: 'not_ours' };
    expect(await ask('costs/set-credit', { params: { alert_id: alertId }, body })).toMatchObject({ status: 200 });
    const trial = await write(newAlert(site, { test: true }));
    expect(await ask('costs/set-credit', { params: { alert_id: trial.alertId }, body })).toMatchObject({ status: 409 });
  });

  it('return 409 when others keep changing them', async () => {
    const site = await seedMerchant();
    const alertId = await seedAlert(site, { duplicateOf: 7 });
    beforeTransactions(async () => {
      const item = await getItem(keys.alertCost(alertId));
      const cost = fromCostItem(item);
      await putItem({ ...item, cost: { ...cost, version: (cost?.version ?? 0) + 1 } });
    });
    expect(await ask('costs/set-credit', { params: { alert_id: alertId }, body: { state: 'claimed' } })).toMatchObject({
      status: 409,
    });
  });
});

it.each([
  'costs/set-alert-prices',
  'costs/alert-price-details',
  'costs/list-credits',
  'costs/set-credit',
  'costs/alert-costs',
])('%s is declared as it is', (name) => expectDeclared(name));

it('is made up for where the counter has missed alerts, and stays where it has not', async () => {
  const site = await seedMerchant();
  expect(await setPrice(site, {})).toMatchObject({ status: 200 });
  const alerts = await Promise.all(Array.from({ length: 23 }, () => write(newAlert(site))));
  const costs = () =>
    Promise.all(alerts.map(async ({ alertId }) => fromCostItem(await getItem(keys.alertCost(alertId)))));
  const progress = { items: 0 };
  await tallyAll(site.mid, progress);
  const made = await costs();
  expect(made.map((cost) => cost?.price?.amount)).toEqual(alerts.map(() => '25.00'));
  await tallyAll(site.mid, progress);
  expect(progress.items).toBe(46);
  expect(await costs()).toEqual(made);
});
