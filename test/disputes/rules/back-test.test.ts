import { SendMessageBatchCommand, type SendMessageBatchCommandInput, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toMerchantItem } from '#accounts/merchants/merchant/merchant-row.ts';
import type { Site } from '#accounts/merchants/site/site.ts';
import { iso, milliseconds, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem, transact, type Write } from '#core/platform/table/table.ts';
import { createAlert } from '#disputes/alerts/alert.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import { toPricesItem } from '#disputes/costs/price-row.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';
import { handler as runBackTests } from '#disputes/rules/jobs/run-back-tests/handler.ts';
import { aProviderAlert, settings } from '#test/disputes/alerts/samples.ts';
import { callsDuring, seedSite } from '#test/disputes/alerts/seed.ts';
import { type As, ask, expectDeclared, useOperations } from '#test/support/operations.ts';

/** Whole rulebooks, tried on alerts that have been. */

useOperations();

const now = Date.parse('2026-05-20T12:00:00.000Z');
const queued: { backTestId: string }[] = [];
beforeAll(() => {
  process.env['BACK_TESTS_QUEUE_URL'] = 'https://sqs.example.com/back-tests';
  mockClient(SQSClient)
    .on(SendMessageBatchCommand)
    .callsFake(({ Entries = [] }: SendMessageBatchCommandInput) => {
      queued.push(...Entries.map(({ MessageBody = '' }) => JSON.parse(MessageBody)));
      return {};
    });
});
afterAll(() => {
  delete process.env['BACK_TESTS_QUEUE_URL'];
});

let site: Site;
beforeEach(async () => {
  setClock(() => now);
  queued.length = 0;
  site = await seedSite({ alert: settings({ max_daily_refunds: 1000 }) });
  const { mid, createdAt } = site;
  await putItem(toMerchantItem({ mid, name: 'Merchant', createdAt, profile: {} }));
});

let lastId = 1_900_000_000_000_000;
const seedAlerts = async (count: number, change: (n: number) => Partial<ProviderAlert> & { at?: string }) => {
  const writes = Array.from({ length: count }, (_, n): Write => {
    lastId += 1;
    const { at = iso(now - milliseconds.day + n), ...providerAlert } = change(n);
    const notice = aProviderAlert({ type: 'DISPUTE', caseId: `CASE-${lastId}`, ...providerAlert });
    const alert = createAlert(lastId, notice, at, { site, matchedDescriptor: 'SHOP*' });
    return { Put: { Item: toAlertItem(alert) } };
  });
  for (let from = 0; from < writes.length; from += 100) await transact({ rows: writes.slice(from, from + 100) });
};

const below = (value: number) => ({ all: [{ fact: 'amount', operator: 'lessThan', value }] });
const refundBelow = (value: number) => ({ name: 'Refund', conditions: below(value), action: { type: 'refund' } });
const begin = async (body: object, as: As = { mid: site.mid }): Promise<string> => {
  const reply = await ask('rules/back-test', { as, body: { sid: site.sid, ...body } });
  expect(reply).toMatchObject({ status: 200, body: { state: 'RUNNING' } });
  return (reply.body as { back_test_id: string }).back_test_id;
};
type Batch = Parameters<typeof runBackTests>[0];
const work = async (...bodies: object[]) => {
  const Records = bodies.map((body, index) => ({ messageId: String(index), body: JSON.stringify(body) }));
  return (await runBackTests({ Records } as Batch)).batchItemFailures;
};
const runAll = async () => {
  for (let one = queued.shift(); one; one = queued.shift()) expect(await work(one)).toEqual([]);
};
type Shown = Record<string, unknown> & {
  state: string;
  progress: { read: number; expected: number };
  days: { date: string }[];
  totals: Record<string, unknown>;
  differences: { alert_id: number }[];
  next_cursor: string | null;
};
const details = async (id: string, body: object = {}) =>
  (await ask('rules/back-test-details', { as: { mid: site.mid }, params: { id }, body })).body as Shown;

/** An alert of provider A costs 25.00 USD. */
const setPrice = (mid: number) => {
  const price = { provider: 'provider_a', tier: null, alertType: null, price: '25.00', currency: 'USD' } as const;
  const set = { from: '2026-01-01T00:00:00.000Z', setAt: '2026-01-01T00:00:00.000Z', setBy: 'root' };
  return putItem(toPricesItem(mid, { list: [{ ...price, ...set }], version: 1 }));
};

describe('a back-test', () => {
  it('reports by day what the draft would have done, next to the current rules', async () => {
    const { mid, sid } = site;
    await ask('rules/create-rule', { body: { sid, ...refundBelow(20) } });
    await setPrice(mid);
    const at = ['2026-05-18T08:00:00.000Z', '2026-05-19T08:00:00.000Z'];
    await seedAlerts(4, (n) => ({ amount: `${10 * (n + 1)}.00`, at: at[n % 2] ?? '' }));
    const decline = { conditions: below(45), action: { type: 'decline', reason_code: '902.002' } };
    const id = await begin({ site_rules: [refundBelow(35), decline] });
    await runAll();
    const shown = await details(id);
    expect(shown).toMatchObject({ state: 'DONE', error: null, progress: { read: 4, expected: 4 }, differing: 3 });
    const side = { declined: 0, resolved: 0, refund_cost: [], disputes_avoided: 0, avoided: [] };
    const usd = (amount: string) => [{ currency: 'USD', amount }];
    const ten = { refunded: 1, refund_cost: usd('10.00'), disputes_avoided: 1, avoided: usd('10.00') };
    expect(shown.days).toEqual([
      {
        ...{ date: '2026-05-18', alerts: 2, alert_price: usd('50.00') },
        today: { ...side, ...ten, left_to_people: 1 },
        draft: {
          ...{ ...side, refunded: 2, left_to_people: 0, refund_cost: usd('40.00') },
          ...{ disputes_avoided: 2, avoided: usd('40.00') },
        },
      },
      {
        ...{ date: '2026-05-19', alerts: 2, alert_price: usd('50.00') },
        today: { ...side, refunded: 0, left_to_people: 2 },
        draft: {
          ...{ ...side, refunded: 1, declined: 1, left_to_people: 0, refund_cost: usd('20.00') },
          ...{ disputes_avoided: 1, avoided: usd('20.00') },
        },
      },
    ]);
    expect(shown.totals).toMatchObject({ alerts: 4, alert_price: usd('100.00'), draft: { refunded: 3, declined: 1 } });
    expect(shown.differences).toMatchObject([
      { amount: '30.00', today: null, draft: { would: 'refund', rule_id: null, draft_rule: 'site_rules.0' } },
      { amount: '20.00', today: null, draft: { would: 'refund' } },
      { amount: '40.00', today: null, draft: { would: 'decline', draft_rule: 'site_rules.1' } },
    ]);
  });

  it('has the rules of today decide the alerts that a dry run has them decide', async () => {
    await ask('rules/create-rule', { body: { sid: site.sid, ...refundBelow(50) } });
    await seedAlerts(30, (n) => ({ amount: `${5 * (n + 1)}.00` }));
    const id = await begin({});
    await runAll();
    const shown = await details(id);
    const { body } = await ask('rules/dry-run', { body: { sid: site.sid } });
    // A dry run looks for the payments, of which there are none here.
    const { list } = body as { list: { action: string; reason: string }[] };
    expect(new Set(list.map(({ reason }) => reason))).toEqual(new Set(['no_processor']));
    const refunded = list.filter(({ action }) => action === 'refund').length;
    expect(shown.totals).toMatchObject({ today: { refunded }, draft: { refunded } });
    expect([shown['differing'], refunded]).toEqual([0, 9]);
  });

  it("evaluates facts of each alert's case, such as its margin over the price", async () => {
    await seedAlerts(4, (n) => ({ amount: n < 2 ? '30.00' : '90.00' }));
    await setPrice(site.mid);
    const conditions = { all: [{ fact: 'margin_over_price', operator: 'greaterThan', value: 50 }] };
    const id = await begin({ site_rules: [{ name: 'Worth it', conditions, action: { type: 'refund' } }] });
    await runAll();
    expect(await details(id)).toMatchObject({ state: 'DONE', totals: { alerts: 4, draft: { refunded: 2 } } });
  });

  it('keeps the limits of a day over pages, on each side', async () => {
    site = await seedSite({ alert: settings({ max_daily_refunds: 300 }) });
    await seedAlerts(1200, () => ({ amount: '1.00' }));
    const id = await begin({ site_rules: [refundBelow(5)] });
    await runAll();
    const { totals, progress } = await details(id);
    expect(progress).toEqual({ read: 1200, expected: 1200 });
    expect(totals).toMatchObject({
      alerts: 1200,
      draft: { refunded: 300, left_to_people: 900 },
      today: { refunded: 0 },
    });
  });

  it('reads each alert once, and shows all that differ by a cursor', async () => {
    await seedAlerts(1050, () => ({ amount: '1.00' }));
    const id = await begin({ site_rules: [refundBelow(5)] });
    const calls = await callsDuring(runAll);
    // The row and its draft, the prices; of each of three pages the list, its counts, site and books; and one write.
    expect(calls).toBe(2 + 3 * 4 + 1);
    const seen = new Set<number>();
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: Shown = await details(id, cursor === undefined ? {} : { cursor });
      for (const { alert_id } of page.differences) seen.add(alert_id);
      expect(page.differences.length).toBeLessThanOrEqual(100);
      cursor = page.next_cursor;
    }
    expect(seen.size).toBe(1050);
  });

  it('counts once, however often and by however many it is run', async () => {
    await seedAlerts(700, () => ({ amount: '1.00' }));
    const id = await begin({ site_rules: [refundBelow(5)] });
    const [message] = queued.splice(0);
    if (!message) throw new Error('Nothing was sent');
    await Promise.all([work(message), work(message), work(message)]);
    await work(message);
    await runAll();
    expect(await details(id)).toMatchObject({
      state: 'DONE',
      progress: { read: 700 },
      totals: { alerts: 700 },
      differing: 700,
    });
  });

  it('is due until it is done, and given up after two days', async () => {
    const id = await begin({});
    const due = async () => (await getItem(keys.backTest(id)))?.['duePk'];
    expect(await due()).toEqual(expect.any(String));
    setClock(() => now + 3 * milliseconds.day);
    await runAll();
    expect([await due(), (await details(id)).state]).toEqual([undefined, 'FAILED']);
  });

  it('of a merchant tries its rules behind those of each site', async () => {
    await ask('rules/create-rule', { body: { sid: site.sid, ...refundBelow(10) } });
    await seedAlerts(2, (n) => ({ amount: n === 0 ? '5.00' : '15.00' }));
    const id = await begin({ sid: undefined, mid: site.mid, merchant_rules: [refundBelow(20)] });
    await runAll();
    const { totals, differences } = await details(id);
    expect(totals).toMatchObject({ today: { refunded: 1 }, draft: { refunded: 2 } });
    expect(differences).toMatchObject([{ amount: '15.00', draft: { draft_rule: 'merchant_rules.0' } }]);
  });

  it('refuses an invalid draft, and does not show other merchants’ back-tests', async () => {
    const { mid, sid } = site;
    const begun = (body: object, as: As = { mid }) => ask('rules/back-test', { as, body });
    expect(await begun({ mid, site_rules: [refundBelow(5)] })).toMatchObject({ status: 400 });
    const wrong = [refundBelow(5), { ...refundBelow(5), action: { type: 'decline' } }];
    expect(await begun({ sid, site_rules: wrong })).toMatchObject({
      body: { details: expect.stringMatching(/^site_rules\.1\.action\.reason_code: /) },
    });
    expect(await begun({ mid: 4242 }, { mid })).toMatchObject({ status: 404 });
    expect(await begun({ sid }, { mid: 4242 })).toMatchObject({ status: 404 });
    const payment = await seedSite({ type: 'payment', alert: null });
    expect(await begun({ sid: payment.sid }, 'admin')).toMatchObject({ status: 409 });
    const id = await begin({});
    const ofOtherTenant = await ask('rules/back-test-details', { as: { mid: 4242 }, params: { id }, body: {} });
    expect(ofOtherTenant).toMatchObject({ status: 404 });
    expect(await ask('rules/back-test-details', { params: { id }, body: { cursor: '9' } })).toMatchObject({
      status: 400,
    });
  });
});

it.each(['rules/back-test', 'rules/back-test-details'])('%s is declared as it is', (name) => expectDeclared(name));
