import { describe, expect, it } from 'vitest';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { addCharge, addDispute, noStatistics } from '#disputes/history/import/charge-statistics.ts';
import { importSpan, newImport } from '#disputes/history/import/history-import.ts';
import { saveImportedFigures } from '#disputes/history/import/imported-figures-store.ts';
import { paidOrder } from '#disputes/history/import/order-link.ts';
import { changesFromShop, partsOfTotal } from '#disputes/history/orders/shop-order.ts';
import { readWooOrder } from '#disputes/history/orders/woocommerce-order.ts';
import { fromFiguresItem } from '#disputes/reports/figures-row.ts';
import type { ChargeCandidate } from '#payments/processors/ports/connected-processor.ts';
import { now, order } from '#test/payments/orders/samples.ts';
import { useTable } from '#test/support/table.ts';

useTable();

const charge = (change: Partial<ChargeCandidate> = {}): ChargeCandidate => ({
  ...{ reference: 'ch-1', secondReference: '', type: 'sale', date: now, money: { minor: 36156n, currency: 'USD' } },
  ...{ first6: '424242', last4: '4242', authCode: null, arn: null, captured: 36156n, refunded: 0n },
  ...{ isChargedBack: false, isSettled: true, isUnclear: false, subscription: null, descriptor: '' },
  ...change,
});

describe('the charges of an import', () => {
  it('count as settled if they were captured', () => {
    const paid = addCharge(noStatistics, charge(), true);
    const { months } = addCharge(paid, charge({ captured: 0n }), true);
    expect(months).toEqual({ '2026-05|VISA': { settled: 1, charged_back: 0 } });
  });

  it.each([
    ['american express', '13.1', 'AMEX'],
    ['mc', '4853', 'MASTERCARD'],
    ['', '10.4', 'VISA'],
    ['', '4837', 'MASTERCARD'],
    ['', 'fraudulent', 'OTHER'],
    ['eftpos_au', '', 'OTHER'],
  ])('count disputes of the network "%s" with the code "%s" as %s', (network, reasonCode, scheme) => {
    const { months } = addDispute(noStatistics, { openedAt: now, network, reasonCode });
    expect(months).toEqual({ [`2026-05|${scheme}`]: { settled: 0, charged_back: 1 } });
  });

  it('name at most 100 descriptors, of which known ones still count', () => {
    const named = Array.from({ length: 101 }, (_, number) => charge({ descriptor: `SHOP ${number}` }));
    const { descriptors } = [...named, charge({ descriptor: 'SHOP 0' })].reduce(
      (sums, one) => addCharge(sums, one, true),
      noStatistics,
    );
    expect(Object.keys(descriptors)).toHaveLength(100);
    expect(descriptors).toMatchObject({ 'SHOP 0': { charges: 2 } });
    expect(descriptors).not.toHaveProperty('SHOP 100');
  });

  it('pay an order of the merchant that they agree with, and none that was made with a payment', () => {
    expect(paidOrder(order(), charge())).toBe(true);
    expect(paidOrder(order({}, { source: 'payment' }), charge())).toBe(false);
    expect(paidOrder(order(), charge({ captured: 0n }))).toBe(false);
    expect(paidOrder(order(), charge({ money: { minor: 36156n, currency: 'EUR' } }))).toBe(false);
    expect(paidOrder(order(), charge({ last4: '1111' }))).toBe(false);
  });

  it('become figures of the months that were imported from the first day to the last', async () => {
    const months = ['2026-02', '2026-03', '2026-04', '2026-05'];
    const begun = newImport(
      {
        ...{ id: 'imp_1', mid: 1, connection: 'cn_1', kind: 'http', parts: ['charges'], by: 'ann' },
        ...{ from: '2026-02-01T00:00:00.001Z', to: '2026-05-01T00:00:00.000Z' },
      },
      now,
    );
    const statistics = {
      ...begun.statistics,
      months: Object.fromEntries(months.map((month) => [`${month}|VISA`, { settled: 5, charged_back: 2 }])),
    };
    await saveImportedFigures({ ...begun, statistics });
    const saved = await Promise.all(
      months.map(async (month) => fromFiguresItem(await getItem(keys.monthFigures(1, month, 'VISA')))),
    );
    const figures = { settled: 5, chargebacks: 2, fraud: 0 };
    expect(saved).toEqual([undefined, figures, figures, undefined]);
  });
});

describe('the time of an import', () => {
  it('begins before it ends', () => {
    const [from, to] = ['2026-04-30T23:59:59.999Z', '2026-05-01T00:00:00.000Z'];
    expect(importSpan({ from, to }, now)).toEqual({ from, to });
    expect(() => importSpan({ from: to, to }, now)).toThrow('from: must be before to');
    expect(importSpan({ to: now }, now).to).toBe(now);
  });
});

describe('an order of a shop', () => {
  const deliveries = [{ type: 'physical', status: 'shipped', tracking_number: 'RM1' }];
  const refund = { amount: '6.00', currency: 'USD', at: now };

  it('may consist of shipping and tax alone', () => {
    const total = { minor: 500n, currency: 'USD' };
    expect(partsOfTotal(total, ['1.00', '4.00', '0.00'])).toMatchObject({ amount_subtotal: '0.00' });
    expect(partsOfTotal(total, ['1.01', '4.00', '0.00'])).toEqual({});
  });

  const shown = (sent: unknown) => ({ fields: { deliveries: sent }, card: null, charge: '' });
  it('changes a stored order by more refunds, by other deliveries, and by both', () => {
    expect(changesFromShop(order(), [], shown(undefined))).toBeNull();
    expect(changesFromShop(order(), [refund], shown(undefined))).toEqual({ refunds: [refund] });
    expect(changesFromShop(order(), [], shown(deliveries))).toEqual({ deliveries });
    expect(changesFromShop(order(), [refund], shown(deliveries))).toEqual({ refunds: [refund], deliveries });
    expect(changesFromShop(order({}, { source: 'payment' }), [refund], shown(deliveries))).toBeNull();
  });

  it('is paid at WooCommerce if it has a date of payment and was not called off', () => {
    const paid = (isPaid: boolean) => expect.objectContaining({ isPaid });
    const read = (change: object) =>
      readWooOrder({
        ...{ id: 7, number: '7', status: 'processing', currency: 'USD', line_items: [] },
        ...{ date_created_gmt: '2026-05-01T10:00:00', date_modified_gmt: '2026-05-01T10:00:00' },
        ...{ date_paid_gmt: '2026-05-01T10:00:00', billing: null, shipping: null },
        ...{ total: '5.00', total_tax: '1.00', shipping_total: '4.00', discount_total: '0.00' },
        ...change,
      });
    expect(read({})).toEqual(paid(true));
    expect(read({ date_paid_gmt: null })).toEqual(paid(false));
    expect(read({ status: 'cancelled' })).toEqual(paid(false));
  });
});
