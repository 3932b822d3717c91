import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { toMerchantItem } from '#accounts/merchants/merchant/merchant-row.ts';
import { setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem } from '#core/platform/table/table.ts';
import { type Alert, createAlert } from '#disputes/alerts/alert.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import type { AlertUpdate } from '#disputes/alerts/answer/alert-update.ts';
import { dayFigures, figuresDifferenceOf } from '#disputes/reports/alert-day.ts';
import { figuresOfItem } from '#disputes/reports/alert-day-row.ts';
import { alertReportOf } from '#disputes/reports/report.ts';
import { tallyAlerts, tallyAll } from '#jobs/tally-store.ts';
import { aProviderAlert, aSite } from '#test/disputes/alerts/samples.ts';
import { callsDuring, fresh, seedSite } from '#test/disputes/alerts/seed.ts';
import { type As, ask, expectDeclared, useOperations } from '#test/support/operations.ts';

useOperations();
afterEach(() => setClock());

const received = '2026-05-02T10:00:00.000Z';
const site = aSite({ sid: 1 });
const anAlert = (change: Partial<Alert> = {}): Alert => ({
  ...createAlert(fresh(), aProviderAlert({ type: 'DISPUTE', amount: '50.00', currency: 'USD' }), received, {
    site,
    matchedDescriptor: 'SHOP',
  }),
  ...change,
});
const answered = (update: Partial<AlertUpdate>, minutes: number, change: Partial<Alert> = {}): Alert => {
  const status = update.status ?? 'RESOLVED';
  return anAlert({
    status,
    update: { status, reason_code: '100.001', ...update },
    updatedAt: new Date(Date.parse(received) + minutes * 60_000).toISOString(),
    version: 2,
    ...change,
  });
};
const aDay = (...alerts: Alert[]) =>
  alertReportOf(
    alerts.map((alert) => ({ day: alert.receivedAt.slice(0, 10), figures: dayFigures(alert) })),
    'day',
  ).totals;

describe('what an alert counts', () => {
  it('keeps refunds that merchants report apart from those that Forewarn and the networks made', () => {
    const of = (refunded_by: 'forewarn' | 'network' | 'merchant') => answered({ refunded_by }, 10);
    const totals = aDay(of('forewarn'), of('network'), of('merchant'), answered({}, 10));
    expect(totals).toMatchObject({
      refunded: [{ currency: 'USD', amount: '150.00' }],
      refunded_elsewhere: [{ currency: 'USD', amount: '50.00' }],
      prevented: [{ currency: 'USD', amount: '200.00' }],
    });
  });

  it('is one of the ways that alerts end', () => {
    const all = [
      anAlert(),
      answered({}, 10),
      answered({ status: 'DECLINED', reason_code: '902.002' }, 10),
      anAlert({ deadlinePassed: true }),
      anAlert({ status: 'REVOKED' }),
      anAlert({ status: 'INFORM' }),
    ];
    expect(aDay(...all)).toMatchObject({
      ...{ received: 6, open: 1, resolved: 1, declined: 1, expired: 1, withdrawn: 1, informational: 1 },
      ...{ by_type: { DISPUTE: 6 }, in_time: 2 },
    });
  });

  it('is what was refunded, and what that prevented where it came in time', () => {
    const part = { reason_code: '101.001', alert_outcome_amount: '20.00', alert_outcome_currency: 'USD' };
    expect(aDay(answered(part, 10), answered({}, 10, { late: true }))).toMatchObject({
      refunded: [{ currency: 'USD', amount: '70.00' }],
      prevented: [{ currency: 'USD', amount: '50.00' }],
      in_time: 1,
    });
  });

  it('lists amounts by their currencies, in alphabetical order', () => {
    const of = (currency: string) =>
      answered({}, 10, { providerAlert: aProviderAlert({ type: 'DISPUTE', amount: '50.00', currency }) });
    const list = ['EUR', 'GBP', 'USD'].map((currency) => ({ currency, amount: '50.00' }));
    expect(aDay(of('EUR'), of('GBP'), of('USD')).refunded).toEqual(list);
    expect(aDay(of('USD'), of('GBP'), of('EUR')).refunded).toEqual(list);
  });

  it.each(['USD', 'KWD', 'JPY'])('keeps sums exact if amounts in %s are larger than any real one', (currency) => {
    const huge = '9'.repeat(14);
    const of = (amount: string) =>
      answered({ refunded_by: 'merchant' }, 10, { providerAlert: aProviderAlert({ amount, currency }) });
    const one = aDay(of(huge)).prevented[0]?.amount ?? '';
    const all = aDay(...Array.from({ length: 2000 }, () => of(huge)), of('10')).prevented[0]?.amount ?? '';
    expect(BigInt(all.replace('.', ''))).toBe(
      2000n * BigInt(one.replace('.', '')) + BigInt((aDay(of('10')).prevented[0]?.amount ?? '').replace('.', '')),
    );
  });

  it('shows the amounts of a day next to one whose stored sum is beyond the exact numbers', () => {
    const row = {
      ...keys.alertDay('S1', '2026-05-02'),
      'prevented|USD': 12_000_000_000_001_000n,
      'prevented|EUR': 500,
    };
    const read = figuresOfItem(row);
    expect(read && alertReportOf([read], 'day').totals.prevented).toEqual([
      { currency: 'EUR', amount: '5.00' },
      { currency: 'USD', amount: '120000000000010.00' },
    ]);
  });

  it('lists no amount where the provider named none', () => {
    const { refunded, prevented } = aDay(answered({}, 10, { providerAlert: aProviderAlert({ amount: '' }) }));
    expect([refunded, prevented]).toEqual([[], []]);
  });

  it('adds nothing to a day if the alert still counts the same', () => {
    const alert = answered({}, 10);
    expect(figuresDifferenceOf(dayFigures(alert), dayFigures({ ...alert, version: 3 })).size).toBe(0);
  });

  it('is a loss if it was not answered in time or was charged back before', () => {
    const late = answered({ status: 'DECLINED', reason_code: '952.002' }, 10);
    expect(aDay(anAlert({ deadlinePassed: true }), late).lost).toEqual([{ currency: 'USD', amount: '100.00' }]);
  });

  it('is a median of the times in which it was answered', () => {
    expect(aDay(anAlert()).median_minutes).toBeNull();
    expect(aDay(answered({}, 3), answered({}, 50), answered({}, 4000)).median_minutes).toBe(60);
  });

  it('is nothing for a test', () => {
    const test = anAlert();
    expect(dayFigures({ ...test, providerAlert: { ...test.providerAlert, test: true } }).size).toBe(0);
  });

  it('is attributed to rules or to people', () => {
    const rule = { ruleId: 1, version: 1, name: 'Small', sid: null, mode: 'live', action: { type: 'refund' } } as const;
    const decision = (result: 'refunded' | 'left_to_merchant'): Partial<Alert> => ({
      automatic: {
        decision: { ...rule, facts: {}, result, reason: null },
        ...{ shadows: [], transaction: null, refund: null, potentialMatches: null },
      },
    });
    const declined = { status: 'DECLINED', reason_code: '902.002' } as const;
    const byRules = [answered({}, 3, decision('refunded')), answered({}, 4, decision('refunded'))];
    const byPeople = [answered({}, 500, { ...decision('left_to_merchant'), late: true }), answered(declined, 700)];
    const { by_rule, answered_by } = aDay(...byRules, ...byPeople, anAlert(), anAlert({ deadlinePassed: true }));
    expect(by_rule).toBe(2);
    expect(answered_by).toEqual({
      rule: {
        ...{ answered: 2, resolved: 2, declined: 0, in_time: 2, median_minutes: 5 },
        refunded: [{ currency: 'USD', amount: '100.00' }],
        refunded_elsewhere: [],
      },
      person: {
        ...{ answered: 2, resolved: 1, declined: 1, in_time: 1, median_minutes: 600 },
        refunded: [{ currency: 'USD', amount: '50.00' }],
        refunded_elsewhere: [],
      },
    });
  });

  it('can be taken out again, whatever it was', () => {
    const figures = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(figures, figures, (before, after) => {
        const [old, next] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
        const sum = new Map(old);
        for (const [name, n] of figuresDifferenceOf(old, next)) sum.set(name, (sum.get(name) ?? 0) + n);
        expect(Object.fromEntries([...sum].filter(([, n]) => n !== 0))).toEqual(after);
      }),
    );
  });
});

describe('an alert that an earlier release has counted', () => {
  it('is recounted once with the figures of this release, whichever process is first', async () => {
    const own = await seedSite();
    const owner = { site: own, matchedDescriptor: 'SHOP' };
    const begun = createAlert(
      fresh(),
      aProviderAlert({ type: 'DISPUTE', amount: '9.00', currency: 'EUR' }),
      received,
      owner,
    );
    const alert: Alert = {
      ...{ ...begun, status: 'RESOLVED', update: { status: 'RESOLVED', reason_code: '100.001' } },
      updatedAt: '2026-05-02T10:03:00.000Z',
    };
    await putItem(toAlertItem(alert));
    const plain = [...dayFigures(alert)].filter(([name]) => !name.startsWith('by|'));
    const day = { ...keys.alertDay(`M${own.mid}`, '2026-05-02'), entity: 'REPORT' };
    await putItem({ ...day, ...Object.fromEntries(plain) });
    await putItem({
      ...{ ...keys.alertDayMark(alert.alertId), entity: 'REPORTMARK', version: alert.version },
      figures: Object.fromEntries(plain),
    });
    await Promise.all([tallyAlerts([alert.alertId]), tallyAlerts([alert.alertId])]);
    await tallyAll(own.mid, { items: 0 });
    const body = { from: '2026-05-01', to: '2026-05-03' };
    const { body: report } = await ask('reports/alert-report', { as: { mid: own.mid }, body });
    expect(report).toMatchObject({
      totals: { received: 1, resolved: 1, answered_by: { person: { answered: 1, in_time: 1 }, rule: { answered: 0 } } },
    });
  });
});

describe('alerts from before there were reports', () => {
  it('are counted by a command, once, however often it is run', async () => {
    const own = await seedSite();
    const alerts = Array.from({ length: 3 }, () =>
      createAlert(fresh(), aProviderAlert({ type: 'DISPUTE', amount: '9.00', currency: 'EUR' }), received, {
        site: own,
        matchedDescriptor: 'SHOP',
      }),
    );
    for (const alert of alerts) await putItem(toAlertItem(alert));
    const receivedOf = async () => {
      const body = { from: '2026-05-01', to: '2026-05-03' };
      const { body: report } = await ask('reports/alert-report', { as: { mid: own.mid }, body });
      return (report as { totals: { received: number } }).totals.received;
    };
    expect(await receivedOf()).toBe(0);
    // The stream has brought one of them already.
    await tallyAlerts(alerts.slice(0, 1).map(({ alertId }) => alertId));
    for (const run of [1, 2]) {
      const progress = { items: 0 };
      await tallyAll(own.mid, progress);
      expect([run, progress.items, await receivedOf()]).toEqual([run, 3, 3]);
    }
  });
});

describe('the days of a merchant', () => {
  const seeded = async () => {
    const own = await seedSite();
    const alert = createAlert(fresh(), aProviderAlert({ type: 'DISPUTE', amount: '9.00', currency: 'EUR' }), received, {
      site: own,
      matchedDescriptor: 'SHOP',
    });
    return { own, alert };
  };
  const tally = async (alert: Alert, ...times: readonly number[]) => {
    await putItem(toAlertItem(alert));
    await Promise.all([1, ...times].map(() => tallyAlerts([alert.alertId, alert.alertId])));
  };
  const closed = (alert: Alert): Alert => ({ ...alert, status: 'REVOKED', version: 2 });
  const report = async (as: As, body: object = {}) =>
    (await ask('reports/alert-report', { as, body: { from: '2026-05-01', to: '2026-05-31', ...body } })).body;

  it('count each alert once as it is, though states come twice, late and at the same time', async () => {
    const { own, alert } = await seeded();
    await tally(alert, 2);
    await tally(closed(alert), 2, 3);
    // As one sees it that has read it before and comes late.
    await tally(alert);
    for (const scope of [`M${own.mid}`, `S${own.sid}`])
      expect(await getItem(keys.alertDay(scope, '2026-05-02'))).toMatchObject({
        'received|DISPUTE': 1,
        'fate|open': 0,
        'fate|withdrawn': 1,
      });
  });

  it('are reported by day and month, of a merchant or a site, in one query', async () => {
    const { own, alert } = await seeded();
    await tally(alert);
    const as = { mid: own.mid };
    expect(await report(as)).toMatchObject({ list: [{ date: '2026-05-02', received: 1, open: 1 }] });
    expect(await report(as, { group: 'month', sid: own.sid })).toMatchObject({ list: [{ date: '2026-05' }] });
    expect(await report(as, { from: '2026-05-03' })).toMatchObject({ list: [], totals: { received: 0 } });
    await putItem(toMerchantItem({ mid: own.mid, name: 'Merchant', createdAt: '', profile: {} }));
    expect(await report('admin', { mid: own.mid })).toMatchObject({ totals: { received: 1 } });
    expect(await callsDuring(() => report(as))).toBe(1);
  });

  it('are all reported if their rows need more than one page', async () => {
    const { own } = await seeded();
    // A page of DynamoDB is a megabyte.
    for (const day of ['2026-05-02', '2026-05-03', '2026-05-04'])
      await putItem({ ...keys.alertDay(`M${own.mid}`, day), 'received|DISPUTE': 2, text: 'x'.repeat(380_000) });
    expect(await report({ mid: own.mid })).toMatchObject({ list: [{}, {}, {}], totals: { received: 6 } });
  });

  it("are answered like none where they are another merchant's", async () => {
    const { own } = await seeded();
    const other = await seedSite();
    const theirs = { mid: other.mid };
    expect(await report(theirs, { sid: own.sid })).toMatchObject({ msg: 'No such site' });
    expect(await report(theirs, { mid: own.mid })).toMatchObject({ msg: 'No such merchant' });
    expect(await report('admin', { mid: 999_999 })).toMatchObject({ msg: 'No such merchant' });
    expect(await report('admin')).toMatchObject({ details: 'mid: is required for an administrator' });
  });

  it('are read as declared', () => expectDeclared('reports/alert-report'));
});
