import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { setClock } from '#core/kernel/clock.ts';
import { refusals } from '#core/platform/operation/errors.ts';
import { settleDispute } from '#disputes/holds/dispute-hold-store.ts';
import { readAlertRefund } from '#disputes/refunds/refund-store.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { disputeAt, seedEnrolledSite, whileContended } from '#test/disputes/alerts/seed.ts';
import { newShop, pay } from '#test/payments/transactions/shop.ts';
import { advance, ledgerAt, useSandbox } from '#test/payments/transactions/support.ts';
import { ask, beforeTransactions, useOperations } from '#test/support/operations.ts';

useOperations();
useSandbox();

let shop: Tenant;
let site: Site;
let connection: string;
beforeEach(async () => {
  setClock(() => Date.parse('2026-05-02T22:30:00Z'));
  shop = await newShop();
  site = await seedEnrolledSite(shop.mid);
  const connections = [{ kind: 'sandbox', label: 'Trial' }];
  const { body } = await ask('connections/set-connections', {
    as: shop.as,
    params: { mid: shop.mid },
    body: { connections },
  });
  connection = (body as { connections: [{ id: string }] }).connections[0].id;
});
afterEach(() => setClock());

const refund = async (alertId: number, body: object = {}) => {
  const { status, body: said } = await ask('refunds/refund-alert', {
    as: shop.as,
    params: { alert_id: alertId },
    body,
  });
  return { status, body: said as { msg: string; transaction: { status: string } } };
};
const elsewhere = (reference: string, amount?: string) => ({ connection, reference, ...(amount && { amount }) });
/** Does something once, in the moment before the next refund is begun. */
const meanwhile = (work: () => Promise<unknown>): void => {
  beforeTransactions(async ({ TransactItems: parts }) => {
    const begins = parts?.some(({ Put }) => ['REFUND', 'TRANSACTION'].includes(String(Put?.Item?.['entity'])));
    if (!begins) return;
    beforeTransactions();
    await work();
  });
};

describe('refunds that are begun in the same moment', () => {
  const charge = 'sbc_20260502_01';

  it('take no more of one charge than it has, for whichever alerts', async () => {
    const [one, other] = [await disputeAt(site, '19.99'), await disputeAt(site, '19.99')];
    let first: Awaited<ReturnType<typeof refund>> | undefined;
    meanwhile(async () => {
      first = await refund(other, elsewhere(charge, '12.00'));
    });
    const second = await refund(one, elsewhere(charge, '12.00'));
    expect(first).toMatchObject({ status: 200, body: { transaction: { status: 'OK' } } });
    expect(second).toMatchObject({ status: 409, body: { msg: refusals.amount_not_available.msg } });
    expect(await readAlertRefund(one)).toBeUndefined();
    expect(await refund(one, elsewhere(charge, '7.99'))).toMatchObject({ body: { transaction: { status: 'OK' } } });
  });

  it('take no more of one charge than it has after an earlier refund of it either', async () => {
    const [first, one, other] = [
      await disputeAt(site, '19.99'),
      await disputeAt(site, '19.99'),
      await disputeAt(site, '19.99'),
    ];
    await refund(first, elsewhere(charge, '2.00'));
    meanwhile(() => refund(other, elsewhere(charge, '10.00')));
    const second = await refund(one, elsewhere(charge, '10.00'));
    expect(second).toMatchObject({ status: 409, body: { msg: refusals.amount_not_available.msg } });
    expect(await readAlertRefund(one)).toBeUndefined();
  });

  it.each([0, 1000])('are one refund for one alert, even of different charges: %d ms apart', async (apart) => {
    const alertId = await disputeAt(site, '19.99');
    const first: Awaited<ReturnType<typeof refund>>[] = [];
    meanwhile(async () => {
      advance(apart);
      first.push(await refund(alertId, { ...elsewhere('sbc_20260502_02'), answer: false }));
    });
    const second = await refund(alertId, elsewhere(charge));
    expect(first).toMatchObject([{ status: 200, body: { transaction: { status: 'OK' } } }]);
    expect(second).toMatchObject({ status: 409, body: { msg: refusals.already_refunded_for_dispute.msg } });
    expect((await readAlertRefund(alertId))?.refund).toMatchObject({ reference: 'sbc_20260502_02', number: 1 });
  });

  it('return the same refund if both calls name the same charge', async () => {
    const alertId = await disputeAt(site, '19.99');
    let first: object = {};
    meanwhile(async () => {
      advance(1000);
      first = await refund(alertId, elsewhere(charge));
    });
    expect(await refund(alertId, elsewhere(charge))).toMatchObject(first);
  });

  it('are made after a failed one, even while another alert refunds a part of the charge', async () => {
    const [one, other] = [await disputeAt(site, '12.65'), await disputeAt(site, '19.99')];
    await refund(one, elsewhere('sbc_20260502_11'));
    expect((await readAlertRefund(one))?.refund.state).toBe('failed');
    meanwhile(() => refund(other, elsewhere(charge, '5.00')));
    expect(await refund(one, elsewhere(charge, '5.00'))).toMatchObject({
      ...{ status: 200, body: { transaction: { status: 'OK' } } },
    });
    expect((await readAlertRefund(one))?.refund).toMatchObject({ state: 'done', number: 2 });
  });

  it('are refused while the alert keeps changing', async () => {
    const alertId = await disputeAt(site, '19.99');
    const made = await whileContended(alertId, () => refund(alertId, elsewhere(charge)));
    expect(made).toMatchObject({ status: 409, body: { msg: refusals.changed_meanwhile.msg } });
    expect(await readAlertRefund(alertId)).toBeUndefined();
  });

  it('do not keep what was refused at the processor', async () => {
    // .65: the sandbox refuses every refund of it.
    const [one, other] = [await disputeAt(site, '12.65'), await disputeAt(site, '12.65')];
    for (const alertId of [one, other]) {
      const made = await refund(alertId, elsewhere('sbc_20260502_11'));
      expect(made).toMatchObject({ status: 200, body: { transaction: { status: 'EXC' } } });
    }
  });

  it.each(['here', 'elsewhere'] as const)('give one alert its money back once: %s first', async (place) => {
    const { txid } = await pay(shop, '10.00');
    const alertId = await disputeAt(site, '10.00', { cardBin: '424242', cardLast4: '4242' });
    await settleDispute(alertId);
    const asked = { here: {}, elsewhere: elsewhere('sbc_20260502_18') };
    let first: Awaited<ReturnType<typeof refund>> | undefined;
    meanwhile(async () => {
      first = await refund(alertId, asked[place]);
    });
    const second = await refund(alertId, asked[place === 'here' ? 'elsewhere' : 'here']);
    expect(first).toMatchObject({ status: 200, body: { transaction: { status: 'OK' } } });
    expect(second).toMatchObject({ status: 409, body: { msg: refusals.already_refunded_for_dispute.msg } });
    expect((await ledgerAt(txid)).refunded).toBe(place === 'here' ? 1000n : 0n);
    expect((await readAlertRefund(alertId))?.refund.state).toBe(place === 'here' ? undefined : 'done');
  });
});
