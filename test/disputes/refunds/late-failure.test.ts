import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { toSiteItem } from '#accounts/merchants/site/site-row.ts';
import { milliseconds, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { deleteItem, getItem, putItem } from '#core/platform/table/table.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import type { AlertRefund } from '#disputes/refunds/refund.ts';
import { readAlertRefund } from '#disputes/refunds/refund-store.ts';
import { decideAlert } from '#disputes/rules/decide/decide-store.ts';
import { paymentRefunds } from '#disputes/rules/decide/payment-refund-flow.ts';
import { toDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { settings } from '#test/disputes/alerts/samples.ts';
import {
  alertAt,
  disputeAt,
  formFields,
  noticesAt,
  outcomesAt,
  seedClaims,
  seedEnrolledSite,
  seedSite,
} from '#test/disputes/alerts/seed.ts';
import { lookAt } from '#test/disputes/chargebacks/merchant.ts';
import { itemsWritten } from '#test/disputes/enrollments/item-writes.ts';
import { always } from '#test/disputes/rules/samples.ts';
import { useAccounts } from '#test/payments/transactions/accounts.ts';
import { newShop } from '#test/payments/transactions/shop.ts';
import { ask, beforeTransactions, useOperations } from '#test/support/operations.ts';
import { replaceConnections } from '#test/support/replace-connections.ts';

/** Banks refuse refunds days after processors said that they were done: here those of charges at merchants' own Stripe accounts. */

useOperations();
const accounts = useAccounts();

const evening = Date.parse('2026-05-02T22:30:00Z');
let shop: Tenant;
let connection: string;
beforeEach(async () => {
  setClock(() => evening);
  process.env['ALLOW_LOOPBACK_HTTP'] = 'true';
  shop = await newShop();
  const { secretKey, webhookSecret, url } = accounts.stripe;
  const credentials = { secret_key: secretKey, webhook_secret: webhookSecret, base_url: url };
  const connections = [{ kind: 'stripe', label: 'The shop', credentials }];
  const { body } = await setConnections(connections);
  connection = (body as { connections: [{ id: string }] }).connections[0].id;
});
afterEach(() => {
  setClock();
  delete process.env['ALLOW_LOOPBACK_HTTP'];
});

const refundAt = (alertId: number, reference: string) =>
  ask('refunds/refund-alert', { as: shop.as, params: { alert_id: alertId }, body: { connection, reference } });
const setConnections = (connections: object[]) => replaceConnections(shop, connections);
const readRefund = async (alertId: number): Promise<AlertRefund> =>
  (await readAlertRefund(alertId))?.refund ?? expect.fail('no refund');
const logged = (): unknown[] => vi.mocked(process.stdout.write).mock.calls.map(([line]) => JSON.parse(String(line)));

/** An alert that is answered by a refund there. */
const refunded = async (site: Site): Promise<number> => {
  const at = evening - milliseconds.day;
  const charge = accounts.stripe.elsewhere.add({ minor: 1999, number: '4111111111111111', at });
  const alertId = await disputeAt(site, '19.99', { transactionTimestamp: new Date(at).toISOString() });
  const answer = await refundAt(alertId, charge.id);
  expect(answer).toMatchObject({ status: 200, body: { alert_status: 'RESOLVED', transaction: { status: 'OK' } } });
  return alertId;
};

/** Its bank refuses a refund; answers what Stripe shows of it. */
const refuse = ({ refund }: AlertRefund) =>
  accounts.stripe.elsewhere.decide(refund?.payment_gateway_reference ?? '', 'failed');

/** Stripe says so by webhook. */
const send = async (made: Record<string, unknown>): Promise<void> => {
  const { headers, rawBody } = accounts.stripe.webhook(made);
  const params = { mid: shop.mid, id: connection };
  expect(await ask('connections/receive-connection-webhook', { as: 'nobody', params, headers, rawBody })).toMatchObject(
    {
      status: 200,
    },
  );
};

/** Both; answers the e-mails that follow. */
const fails = async (alertId: number): Promise<object[]> => {
  await send({ ...refuse(await readRefund(alertId)) });
  return itemsWritten('MAIL', async () => {
    // Stripe sends everything twice.
    const noted = accounts.noted.splice(0);
    for (let time = 0; time < 2; time += 1) expect(await lookAt(...noted)).toEqual([]);
  });
};

describe('a refund at the Stripe account of a merchant that its bank refuses', () => {
  it('reopens the alert and notifies the merchant again', async () => {
    const alertId = await refunded(await seedEnrolledSite(shop.mid));
    const { delivery: first } = await noticesAt(alertId);
    if (first) await putItem(toDeliveryItem({ ...first, state: 'DELIVERED', nextAttemptAt: null }));
    const mails = await fails(alertId);
    expect((await readAlertRefund(alertId))?.refund).toMatchObject({ state: 'failed' });
    expect(await alertAt(alertId)).toMatchObject({ status: 'WIP', update: { reason_code: '999.002' } });
    expect((await outcomesAt(alertId)).map(({ state }) => state)).toEqual(['SUPERSEDED', 'PENDING']);
    const { delivery } = await noticesAt(alertId);
    expect(delivery).toMatchObject({ state: 'PENDING', nextAttemptAt: (await alertAt(alertId)).updatedAt });
    expect(delivery?.messageId).not.toBe(first?.messageId ?? first?.id);
    expect(formFields(delivery?.body)).toMatchObject({ alert_action: 'MATCHED' });
    expect(mails).toHaveLength(1);
    expect(JSON.stringify(mails)).toContain(`Alert ${alertId} is open again`);
  });

  it('reopens the alert even if the refusal arrives before the refund is recorded as done', async () => {
    const site = await seedEnrolledSite(shop.mid);
    const again: unknown[] = [];
    let noted: { noticeId: string }[] = [];
    beforeTransactions(async ({ TransactItems: parts = [] }) => {
      const refund = parts.flatMap(({ Put }) => (Put?.Item?.['refund'] as AlertRefund | undefined) ?? [])[0];
      if (refund?.state !== 'done') return;
      beforeTransactions();
      await send({ ...refuse(refund) });
      noted = accounts.noted.splice(0);
      again.push(await lookAt(...noted));
    });
    const alertId = await refunded(site);
    expect(again).toEqual([[{ itemIdentifier: '0' }]]);
    expect(await lookAt(...noted)).toEqual([]);
    expect((await readAlertRefund(alertId))?.refund).toMatchObject({ state: 'failed' });
    expect(await alertAt(alertId)).toMatchObject({ status: 'WIP' });
  });

  it('is recorded in the history and in the log with the reason that the bank gave', async () => {
    const alertId = await refunded(await seedEnrolledSite(shop.mid));
    await fails(alertId);
    const details = await ask('alerts/alert-details', { as: shop.as, params: { alert_id: alertId } });
    const { history } = details.body as { history: object[] };
    const reason = `refund at ${connection}: stripe declined`;
    expect(history).toContainEqual(expect.objectContaining({ by: reason }));
    expect(logged()).toContainEqual(
      expect.objectContaining({ event: 'refund_failed_late', alertId, words: 'stripe declined' }),
    );
  });

  it('is left to its next check if it was not done yet', async () => {
    const site = await seedEnrolledSite(shop.mid);
    const charge = accounts.stripe.elsewhere.add({ minor: 1999, number: '4000000000007726' });
    const alertId = await disputeAt(site, '19.99', { cardBin: '400000', cardLast4: '7726' });
    expect(await refundAt(alertId, charge.id)).toMatchObject({ body: { transaction: { status: 'PEND' } } });
    const before = await readRefund(alertId);
    await send({ ...refuse(before) });
    expect(await lookAt(...accounts.noted.splice(0))).toEqual([]);
    expect(await readRefund(alertId)).toEqual(before);
    const late = { event: 'refund_failed_late', alertId };
    expect(logged()).not.toContainEqual(expect.objectContaining(late));
  });

  it('reopens the alert even after the merchant has removed the connection', async () => {
    const alertId = await refunded(await seedEnrolledSite(shop.mid));
    await setConnections([]);
    await fails(alertId);
    expect(await alertAt(alertId)).toMatchObject({ status: 'WIP' });
  });

  it.each([
    ['Stripe does not respond', async () => accounts.stripe.fail(500, /refunds/, 4)],
    ['the credentials of the connection are gone', () => deleteItem({ Key: keys.connections(shop.mid) })],
  ])('is checked again later if %s', async (_, breaks) => {
    const alertId = await refunded(await seedEnrolledSite(shop.mid));
    await send({ ...refuse(await readRefund(alertId)) });
    const noted = accounts.noted.splice(0);
    const connections = (await getItem(keys.connections(shop.mid))) ?? {};
    await breaks();
    expect(await lookAt(...noted)).toEqual([{ itemIdentifier: '0' }]);
    expect(logged().at(-1)).toMatchObject({ event: 'message_comes_again' });
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED' });
    accounts.stripe.mend();
    await putItem(connections);
    expect(await lookAt(...noted)).toEqual([]);
    expect(await alertAt(alertId)).toMatchObject({ status: 'WIP' });
  });

  it('does not undo the next refund, which is made while the first one is recorded as failed', async () => {
    const alertId = await refunded(await seedEnrolledSite(shop.mid));
    const first = await readRefund(alertId);
    await send({ ...refuse(first) });
    const noted = accounts.noted.splice(0);
    beforeTransactions(async ({ TransactItems: parts = [] }) => {
      const isFailed = parts.some(({ Put }) => (Put?.Item?.['refund'] as AlertRefund | undefined)?.state === 'failed');
      if (!isFailed) return;
      beforeTransactions();
      expect(await lookAt(...noted)).toEqual([]);
      expect(await refundAt(alertId, first.reference)).toMatchObject({ body: { transaction: { status: 'OK' } } });
    });
    expect(await lookAt(...noted)).toEqual([]);
    expect(await readRefund(alertId)).toMatchObject({ state: 'done', number: 2 });
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED' });
  });

  it('answers nothing, although the rule that made it is just about to answer with it', async () => {
    const site = await seedEnrolledSite(shop.mid, { max_daily_refunds: 1000 });
    const rule = { sid: site.sid, name: 'Refund', conditions: always, action: { type: 'refund' } };
    expect(await ask('rules/create-rule', { body: rule })).toMatchObject({ status: 200 });
    const at = evening - milliseconds.day;
    accounts.stripe.elsewhere.add({ minor: 2345, number: '4111111111111111', at });
    const alertId = await disputeAt(site, '23.45', {
      transactionTimestamp: new Date(at).toISOString(),
      authCode: '123456',
    });
    const failed: string[] = [];
    beforeTransactions(async ({ TransactItems: parts = [] }) => {
      const isAnswer = parts.some(({ Put }) => (Put?.Item?.['alert'] as Alert | undefined)?.status === 'RESOLVED');
      if (!isAnswer) return;
      beforeTransactions();
      const { refund } = (await readAlertRefund(alertId)) ?? expect.fail('no refund');
      failed.push(refund.refund?.payment_gateway_reference ?? '');
      await send({ ...refuse(refund) });
      expect(await lookAt(...accounts.noted.splice(0))).toEqual([]);
    });
    await decideAlert(alertId, paymentRefunds, false);
    expect(failed).toEqual([expect.stringMatching(/^re_/)]);
    // The rules were asked again, and it is another refund that answers.
    const { refund } = (await readAlertRefund(alertId)) ?? expect.fail('no refund');
    expect(refund).toMatchObject({ state: 'done', number: 2 });
    const { status, automatic } = await alertAt(alertId);
    expect([status, automatic?.refund]).toEqual(['RESOLVED', refund.refund]);
    expect(failed).not.toContain(refund.refund?.payment_gateway_reference);
  });

  it('tells a merchant whose site took no notifications when the alert came', async () => {
    const site = await seedSite({ mid: shop.mid, alert: null });
    await seedClaims('provider_a', 'EXACT', `SHOP ${site.sid}`, site);
    const alertId = await refunded(site);
    expect(await noticesAt(alertId)).toEqual({ delivery: undefined, mail: undefined });
    await putItem(toSiteItem({ ...site, alert: settings() }));
    await fails(alertId);
    const { delivery } = await noticesAt(alertId);
    expect(delivery).toMatchObject({ state: 'PENDING', kind: 'new_alert', sid: site.sid });
    expect(formFields(delivery?.body)).toMatchObject({ alert_action: 'MATCHED', alert_id: String(alertId) });
  });
});
