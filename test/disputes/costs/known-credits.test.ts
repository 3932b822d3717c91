import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, transact } from '#core/platform/table/table.ts';
import { computedCredit } from '#disputes/alerts/cost/cost.ts';
import { fromHoldItem } from '#disputes/alerts/hold-row.ts';
import { handler as settle } from '#jobs/settle/handler.ts';
import type { Ledger } from '#payments/transactions/ledger/ledger.ts';
import { fromLedgerItem, ledgerWrites } from '#payments/transactions/ledger/ledger-row.ts';
import { settings } from '#test/disputes/alerts/samples.ts';
import { alertAt, fresh, seedClaims, seedSite, take } from '#test/disputes/alerts/seed.ts';
import { sqsEvent } from '#test/messaging/support.ts';
import { seedPayment, seedPaymentSite } from '#test/payments/cardsearch/seed.ts';
import { makeArn } from '#test/support/arns.ts';
import { useOperations } from '#test/support/operations.ts';

useOperations();

const before = '2026-05-01T10:00:00.000Z';
const after = '2026-05-02T10:05:00.000Z';
let shop: Site;
let descriptor: string;
beforeEach(async () => {
  setClock(() => Date.parse('2026-05-02T10:00:00.000Z'));
  const alertSite = await seedSite({ alert: settings() });
  ({ site: shop } = await seedPaymentSite({ mid: alertSite.mid }));
  descriptor = `SHOP ${alertSite.sid}`;
  for (const name of ['provider_a', 'provider_b']) await seedClaims(name, 'EXACT', descriptor, alertSite);
});
afterEach(() => setClock());

const changeLedger = async (txid: number, change: Partial<Ledger>) => {
  const ledger = fromLedgerItem((await getItem(keys.ledger(txid))) ?? {});
  await transact(ledgerWrites(ledger, { ...ledger, ...change }));
};

/** A payment of 361.56 and its refunds, each at a time. */
const refundedPayment = async (...refunds: readonly (readonly [minor: string, createdAt: string])[]) => {
  const { txid } = await seedPayment(shop);
  const made = [];
  for (const [minor, createdAt] of refunds) {
    const child = { parentTxid: txid, action: 'REFUND', money: { minor, currency: 'USD' }, createdAt } as const;
    made.push((await seedPayment(shop, child)).txid);
  }
  await changeLedger(txid, { refunded: refunds.reduce((sum, [minor]) => sum + BigInt(minor), 0n) });
  return { txid, made };
};

/** The alert after the settle worker has had its message: what it credits, and the payment held for it. */
const settled = async () => {
  const sent = { alertId: `A${fresh()}`, merchantDescriptor: descriptor, arn: '', authCode: '' };
  const { alert_id: alertId } = await take('provider_a', sent);
  await settle(sqsEvent([{ alertId }]));
  const alert = await alertAt(alertId);
  return { alert, credit: computedCredit(alert), held: fromHoldItem(await getItem(keys.disputeHold(alertId)))?.txid };
};

describe('a credit that the service knows of', () => {
  it('is claimable when the payment was refunded here before the alert', async () => {
    const { txid, made } = await refundedPayment(['30000', before], ['6156', '2026-05-01T11:00:00.000Z']);
    const { credit, held } = await settled();
    expect(held).toBe(txid);
    expect(credit).toEqual({
      state: 'claimable',
      reason: 'refunded_before',
      evidence: { refunded_at: '2026-05-01T11:00:00.000Z', txid: made[1] },
    });
  });

  it.each([
    ['only a part was refunded before', [['30000', before]]],
    [
      'a part was refunded after the alert',
      [
        ['30000', before],
        ['6156', after],
      ],
    ],
    ['nothing was refunded', []],
  ] as const)('is not claimable when %s', async (_name, refunds) => {
    await refundedPayment(...refunds);
    expect((await settled()).credit.state).toBe('none');
  });

  it('is claimable when the payment was charged back before the alert', async () => {
    const { txid } = await seedPayment(shop);
    await changeLedger(txid, { chargebacks: { dp_1: { minor: 36156n, taken: true, openedAt: before } } });
    expect((await settled()).credit).toEqual({
      state: 'claimable',
      reason: 'charged_back_before',
      evidence: { chargeback_id: 'dp_1', charged_back_at: before },
    });
  });

  it.each([
    ['after the alert', { minor: 36156n, taken: true, openedAt: after }],
    ['but the merchant has won', { minor: 36156n, taken: false, openedAt: before }],
  ])('is not claimable when the payment was charged back %s', async (_name, chargeback) => {
    const { txid } = await seedPayment(shop);
    await changeLedger(txid, { chargebacks: { dp_1: chargeback } });
    expect((await settled()).credit.state).toBe('none');
  });

  it('is claimable for an alert that repeats the alert of another network', async () => {
    const arn = makeArn(fresh());
    const first = await take('provider_a', { alertId: `A${fresh()}`, merchantDescriptor: descriptor, arn });
    const second = await take('provider_b', {
      ...{ caseId: `B${fresh()}`, descriptor, arn, accountNumber: '411111xxxxxx1111' },
    });
    expect(computedCredit(await alertAt(second.alert_id))).toMatchObject({
      state: 'claimable',
      evidence: { duplicate_alertid: first.alert_id },
    });
  });

  it('is recorded once, however often the settle worker looks', async () => {
    await refundedPayment(['36156', before]);
    const { alert } = await settled();
    await settle(sqsEvent([{ alertId: alert.alertId }]));
    expect((await alertAt(alert.alertId)).version).toBe(alert.version);
  });
});
