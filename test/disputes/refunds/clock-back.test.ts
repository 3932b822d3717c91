import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { iso, milliseconds, nowMilliseconds, setClock } from '#core/kernel/clock.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { settings } from '#test/disputes/alerts/samples.ts';
import { alertAt, disputeAt, makeRcode, seedClaims, seedSite } from '#test/disputes/alerts/seed.ts';
import { newShop, pay } from '#test/payments/transactions/shop.ts';
import { ledgerAt, settleEverything, useSandbox } from '#test/payments/transactions/support.ts';
import { ask, useOperations } from '#test/support/operations.ts';

/** The clock of a function goes back by an hour: what was done stays done, once, and nothing is dated before what it follows. */

useOperations();
useSandbox();

const noon = Date.parse('2026-05-02T12:00:00.000Z');
let shop: Tenant;
let site: Site;
beforeEach(async () => {
  setClock(() => noon);
  shop = await newShop();
  site = await seedSite({ sid: 5001, mid: shop.mid, alert: settings() });
  await seedClaims('provider_a', 'EXACT', `SHOP ${site.sid}`, site);
});
afterEach(() => setClock());

const goBack = () => setClock(() => noon - milliseconds.hour);
const dispute = (amount: string) =>
  disputeAt(site, amount, { cardBin: '424242', cardLast4: '4242', transactionTimestamp: iso(nowMilliseconds()) });
const refund = (alertId: number) =>
  ask('refunds/refund-alert', { as: shop.as, params: { alert_id: alertId }, body: {} });

describe('when the clock goes back by an hour', () => {
  it('a refund of an alert is made once, and a repeated call reports it', async () => {
    const { txid } = await pay(shop, '10.00');
    const alertId = await dispute('10.00');
    expect(await refund(alertId)).toMatchObject({ status: 200 });
    goBack();
    await refund(alertId);
    await settleEverything();
    expect(await ledgerAt(txid)).toMatchObject({ refunded: 1000n, inFlight: {} });
  });

  it('an answer follows the change before it, and a new alert gets a number of its own', async () => {
    const first = await dispute('10.00');
    const answer = (alertId: number, status: string, reason_code: string) =>
      ask('alerts/update-alert', {
        as: 'nobody',
        body: { alert_id: alertId, status, reason_code },
        headers: { rcode: makeRcode(site.sid) },
      });
    expect(await answer(first, 'WIP', '999.002')).toMatchObject({ status: 200 });
    const { updatedAt } = await alertAt(first);
    goBack();
    expect(await answer(first, 'DECLINED', '902.002')).toMatchObject({ status: 200 });
    const after = await alertAt(first);
    expect([after.status, (after.updatedAt ?? '') >= (updatedAt ?? '')]).toEqual(['DECLINED', true]);
    const second = await dispute('20.00');
    expect(second).not.toBe(first);
    expect((await alertAt(second)).deadlineAt).not.toBeNull();
  });

  it('a payment that was made is refunded before its time, and no more than it is', async () => {
    const { txid } = await pay(shop, '10.00');
    goBack();
    const [one, other] = [await dispute('10.00'), await dispute('10.00')];
    await Promise.all([refund(one), refund(other)]);
    await settleEverything();
    expect((await ledgerAt(txid)).refunded).toBeLessThanOrEqual(1000n);
  });
});
