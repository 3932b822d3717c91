import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { nowIso, setClock } from '#core/kernel/clock.ts';
import { refusals } from '#core/platform/operation/errors.ts';
import { settleDispute } from '#disputes/holds/dispute-hold-store.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { fresh, makeRcode, seedEnrolledSite, take } from '#test/disputes/alerts/seed.ts';
import { type As, ask, useOperations } from '#test/support/operations.ts';
import { newShop, pay } from './shop.ts';
import { fundsAt, ledgerAt, useSandbox } from './support.ts';

useOperations();
useSandbox();
afterEach(() => setClock());

let shop: Tenant;
let site: Site;
beforeEach(async () => {
  shop = await newShop();
  site = await seedEnrolledSite(shop.mid);
});

const dispute = async (): Promise<number> => {
  const sent = {
    ...{
      alertId: `A${fresh()}`,
      type: 'CUSTOMER_DISPUTE',
      merchantDescriptor: `SHOP ${site.sid}`,
      arn: '',
      authCode: '',
    },
    ...{ cardBin: '424242', cardLast4: '4242', amount: { value: '10.00', currencyCode: 'USD' } },
    transactionTimestamp: nowIso(),
  };
  return (await take('provider_a', sent)).alert_id;
};
const answer = async (alertId: number, body: object): Promise<void> => {
  const sent = { alert_id: String(alertId), ...body };
  const { status } = await ask('alerts/update-alert', {
    as: 'nobody',
    headers: { rcode: makeRcode(site.sid) },
    body: sent,
  });
  expect(status).toBe(200);
};
const refund = async (parent: number, amount: string, change: object = {}, as: As = shop.as) => {
  const body = { amount, currency: 'USD', ...change };
  const reply = await ask('refunds/processrefund', { as, params: { parentxid: parent }, body });
  return { status: reply.status, body: reply.body as { msg?: string; details?: string; status?: string } };
};
const refused = { status: 409, body: { msg: refusals.already_refunded_for_dispute.msg } };

describe('an answer that says refunded, where nothing was refunded here', () => {
  it.each([
    ['after its payment was found', true],
    ['before', false],
  ])('is booked, %s, and refunded no second time', async (_, isFound) => {
    const { txid } = await pay(shop, '10.00');
    const before = await fundsAt(shop.sid);
    const alertId = await dispute();
    if (isFound) await settleDispute(alertId);
    await answer(alertId, { status: 'RESOLVED', reason_code: '100.001' });
    await settleDispute(alertId);
    expect((await ledgerAt(txid)).disputes[alertId]).toEqual({
      open: false,
      held: 0n,
      refundTxid: null,
      elsewhere: 1000n,
    });
    expect(await fundsAt(shop.sid)).toEqual({ ...before, available: before.available - 1000 });
    expect(await refund(txid, '10.00')).toMatchObject(refused);
    expect((await refund(txid, '1.00', { alert_id: alertId })).body.details).toContain('again=true');
  });

  it('is refunded again where a manager requests it, and by no other role', async () => {
    const { txid } = await pay(shop, '10.00');
    const alertId = await dispute();
    await answer(alertId, { status: 'RESOLVED', reason_code: '100.001' });
    await settleDispute(alertId);
    const analyst = { mid: shop.mid, role: 'analyst' } as const;
    expect((await refund(txid, '4.00', { again: true }, analyst)).status).toBe(403);
    expect((await refund(txid, '4.00', { again: true })).body).toMatchObject({ status: 'OK' });
    expect(await ledgerAt(txid)).toMatchObject({ refunded: 400n, disputes: { [alertId]: { elsewhere: 600n } } });
    expect((await refund(txid, '6.00', { again: true, alert_id: alertId })).body).toMatchObject({ status: 'OK' });
    expect((await refund(txid, '0.01', { again: true })).body.msg).toBe(refusals.amount_not_available.msg);
  });

  it('in part leaves the rest', async () => {
    const { txid } = await pay(shop, '10.00');
    const alertId = await dispute();
    const part = { alert_outcome_amount: '4.00', alert_outcome_currency: 'USD' };
    await answer(alertId, { status: 'RESOLVED', reason_code: '101.001', ...part });
    await settleDispute(alertId);
    expect(await refund(txid, '6.01')).toMatchObject(refused);
    expect((await refund(txid, '6.00')).body).toMatchObject({ status: 'OK' });
    expect(await ledgerAt(txid)).toMatchObject({ refunded: 600n, disputes: { [alertId]: { elsewhere: 400n } } });
  });

  it('books nothing of an answer that says something else, nor of a refund that was made here', async () => {
    const [one, other] = [await pay(shop, '10.00'), await pay(shop, '20.00')];
    const first = await dispute();
    await settleDispute(first);
    await answer(first, { status: 'DECLINED', reason_code: '902.002' });
    await settleDispute(first);
    expect((await ledgerAt(one.txid)).disputes[first]).toEqual({ open: false, held: 0n, refundTxid: null });
    expect((await refund(one.txid, '10.00')).body).toMatchObject({ status: 'OK' });
    expect((await ledgerAt(other.txid)).disputes).toEqual({});
  });
});
