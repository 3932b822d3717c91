import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { iso, milliseconds, setClock } from '#core/kernel/clock.ts';
import { putItem } from '#core/platform/table/table.ts';
import { toPricesItem } from '#disputes/costs/price-row.ts';
import { saveListedDisputes, saveLostCharges } from '#disputes/history/past/past-dispute-store.ts';
import type { ChargeCandidate } from '#payments/processors/ports/connected-processor.ts';
import type { ProcessorDispute } from '#payments/processors/ports/dispute.ts';
import { settings } from '#test/disputes/alerts/samples.ts';
import { seedSite } from '#test/disputes/alerts/seed.ts';
import { ask, expectDeclared, useOperations } from '#test/support/operations.ts';

/** The savings that alerts and rules would have brought in the year before there were alerts. */

useOperations();

const now = Date.parse('2026-05-20T12:00:00.000Z');
beforeAll(() => setClock(() => now));

let site: Site;
beforeEach(async () => {
  setClock(() => now);
  site = await seedSite({ alert: settings({ max_daily_refunds: 1000 }) });
});

const place = () => ({ mid: site.mid, connection: 'cn_1' });
const at = (daysAgo: number) => iso(now - daysAgo * milliseconds.day);
const lost = (reference: string, minor: bigint, daysAgo = 30): ChargeCandidate => ({
  ...{ reference, secondReference: '', type: 'sale', date: at(daysAgo + 20), money: { minor, currency: 'USD' } },
  ...{ first6: '411111', last4: '1111', authCode: null, arn: null, captured: minor, refunded: 0n },
  ...{ isChargedBack: true, chargedBackAt: at(daysAgo), isSettled: true, isUnclear: false, subscription: null },
  descriptor: 'SHOP*ONLINE',
});
const disputed = (reference: string, charge: string, change: Partial<ProcessorDispute> = {}): ProcessorDispute => ({
  ...{ reference, payments: [charge], stage: 'chargeback', status: 'lost', isTaken: true },
  ...{ money: { minor: 2000n, currency: 'USD' }, reasonCode: '13.1', network: 'visa', dueBy: null, openedAt: at(30) },
  ...change,
});
const below = (value: number) => ({ all: [{ fact: 'amount', operator: 'lessThan', value }] });
const refundBelow = (value: number) => ({ name: 'Refund', conditions: below(value), action: { type: 'refund' } });
const estimate = async (body: object = {}) => {
  const reply = await ask('history/past-year', {
    as: { mid: site.mid },
    body: { sid: site.sid, caught_percent: 100, ...body },
  });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body as Record<string, unknown>;
};

describe('the estimate of a past year', () => {
  it('tries the rules of today on every imported dispute', async () => {
    await ask('rules/create-rule', { body: { sid: site.sid, ...refundBelow(25) } });
    await saveLostCharges(place(), [lost('ch-1', 1000n), lost('ch-2', 2000n, 70), lost('ch-3', 5000n)]);
    const { disputes, alerts, would, avoided, totals, alert_cost, months } = await estimate();
    expect({ disputes, alerts, avoided, alert_cost }).toEqual({ disputes: 3, alerts: 3, avoided: 2, alert_cost: null });
    expect(would).toMatchObject({ refund: 2, undecided: 1 });
    expect(totals).toEqual([{ currency: 'USD', refunded: '30.00', saved: '60.00' }]);
    expect(months).toEqual([
      { month: '2026-03', disputes: 1, avoided: 1 },
      { month: '2026-04', disputes: 2, avoided: 1 },
    ]);
  });

  it('tries draft rules, scales by the share of disputes that alerts catch, and states each assumption', async () => {
    const charges = Array.from({ length: 10 }, (_, n) => lost(`ch-${n}`, 1000n));
    await saveLostCharges(place(), charges);
    const reply = await estimate({
      ...{ rules: [refundBelow(25)], caught_percent: 50, alert_price: { amount: '30.00', currency: 'USD' } },
      chargeback_cost: { amount: '20.00', currency: 'USD' },
    });
    expect(reply).toMatchObject({
      ...{ disputes: 10, alerts: 5, avoided: 5, would: { refund: 5, undecided: 0 } },
      totals: [{ currency: 'USD', refunded: '50.00', saved: '150.00' }],
      alert_cost: { amount: '150.00', currency: 'USD' },
      assumptions: expect.arrayContaining([
        'An alert would have come in time for 50 % of the disputes.',
        'A chargeback costs 20.00 USD in addition to its amount.',
        'An alert costs 30.00 USD.',
      ]),
    });
  });

  it("takes the merchant's own price of an alert", async () => {
    const price = { provider: 'provider_a', tier: null, alertType: null, price: '25.00', currency: 'USD' } as const;
    const set = { from: '2026-01-01T00:00:00.000Z', setAt: '2026-01-01T00:00:00.000Z', setBy: 'root' };
    await putItem(toPricesItem(site.mid, { list: [{ ...price, ...set }], version: 1 }));
    await saveLostCharges(place(), [lost('ch-1', 1000n)]);
    expect(await estimate()).toMatchObject({ alert_cost: { amount: '25.00', currency: 'USD' } });
  });

  it('counts a charge and its listed dispute as one, an inquiry not at all, and knows fraud by its reason', async () => {
    await saveLostCharges(place(), [lost('ch-1', 2000n), lost('ch-2', 2000n)]);
    await saveListedDisputes(place(), [
      disputed('dp-1', 'ch-1', { reasonCode: '10.4' }),
      disputed('dp-2', 'ch-2', { stage: 'inquiry' }),
      disputed('dp-3', 'ch-3'),
    ]);
    const fraud = { all: [{ fact: 'alert_type', operator: 'equal', value: 'FRAUD' }] };
    const rules = [{ name: 'Fraud', conditions: fraud, action: { type: 'refund' } }];
    expect(await estimate({ rules })).toMatchObject({ disputes: 2, would: { refund: 1, undecided: 1 } });
  });

  it('holds the daily limit of refunds as it would have held', async () => {
    site = await seedSite({ alert: settings({ max_daily_refunds: 1 }) });
    await saveLostCharges(place(), [lost('ch-1', 1000n), lost('ch-2', 1000n)]);
    expect(await estimate({ rules: [refundBelow(25)] })).toMatchObject({
      would: { refund: 1, leave_to_merchant: 1 },
    });
  });

  it('covers only the time that is asked for', async () => {
    await saveLostCharges(place(), [lost('ch-1', 1000n, 10), lost('ch-2', 1000n, 100)]);
    expect(await estimate({ from: at(50) })).toMatchObject({ disputes: 1 });
    expect(await estimate({ from: at(400), to: at(50) })).toMatchObject({ disputes: 1 });
  });

  it('refuses sites of other types, of other merchants, and rules that cannot be read', async () => {
    const other = await seedSite({ alert: settings({}) });
    const refusalOf = async (body: object) => {
      const reply = await ask('history/past-year', { as: { mid: site.mid }, body });
      return [reply.status, (reply.body as { details: string }).details];
    };
    expect(await refusalOf({ sid: other.sid })).toEqual([404, expect.any(String)]);
    expect(await refusalOf({ sid: site.sid, rules: [{ ...refundBelow(1), action: { type: 'decline' } }] })).toEqual([
      400,
      expect.stringContaining('rules.0.'),
    ]);
    const payment = await seedSite({ mid: site.mid, type: 'payment' });
    expect((await refusalOf({ sid: payment.sid }))[0]).toBe(409);
  });
});

it('past-year uses and refuses only what it declares', () => expectDeclared('history/past-year'));
