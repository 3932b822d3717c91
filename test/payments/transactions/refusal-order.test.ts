import { describe, expect, it, vi } from 'vitest';
import { nowIso } from '#core/kernel/clock.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { keys } from '#core/platform/table/keys.ts';
import { putItem, transact } from '#core/platform/table/table.ts';
import { newAlertWrites } from '#disputes/alerts/history/history-row.ts';
import { refundDispute } from '#disputes/refunds/refund-dispute-flow.ts';
import { planPaymentRefund } from '#payments/transactions/follow-up/follow-up.ts';
import { beginFollowUp } from '#payments/transactions/follow-up/follow-up-store.ts';
import type { Transaction } from '#payments/transactions/transaction/transaction.ts';
import { anAlert } from '#test/disputes/alerts/samples.ts';
import { seedPayment, seedPaymentSite, toLedger } from '#test/payments/cardsearch/seed.ts';
import { useTable } from '#test/support/table.ts';

const front = vi.hoisted(() => ({ isWritten: false }));
// Puts one more write in front of those that the service names.
vi.mock(import('#core/platform/table/table.ts'), async (original) => {
  const table = await original();
  const extra = () => ({ Put: { Item: { pk: 'FRONT', sk: 'FRONT' } } });
  return {
    ...table,
    tryTransact: (writes) => table.tryTransact(front.isWritten ? { front: extra(), ...writes } : writes),
  };
});

useTable();

type Case = { payment: Transaction; alertId: number; key: ReturnType<typeof keys.tid> };

const newCase = async (isOpen: boolean): Promise<Case> => {
  const { site } = await seedPaymentSite();
  const payment = await seedPayment(site);
  const alert = { ...anAlert({}, site), alertId: newTimedId(), ...(!isOpen && { status: 'RESOLVED' as const }) };
  const entry = {
    at: nowIso(),
    by: 'provider_a',
    via: 'intake',
    change: { event: 'received', from: {}, to: {} },
  } as const;
  await transact({ alert: newAlertWrites(alert, entry) });
  return { payment, alertId: alert.alertId, key: keys.tid(site.sid, `digest of ${payment.txid}`) };
};

/** Begins a refund for the alert, and tells how it was refused. */
const codeOfRefusal = async ({ payment, alertId, key }: Case): Promise<string> => {
  const { site } = await seedPaymentSite();
  const reused = new Refusal('tid_reused', 'It was used for another transaction.');
  const asked = { money: { minor: 100n, currency: 'USD' }, alertId, tid: null, by: 'test', again: false } as const;
  const begun = beginFollowUp(
    { ...toLedger(payment), version: 1 },
    (ledger) => planPaymentRefund(payment, ledger, asked, { site, at: nowIso() }),
    { once: { key, digest: 'mine', reused } },
    refundDispute({ alertId, by: 'test', awaited: 'open' }).guardsFor,
  );
  return begun.then(
    () => 'none',
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  );
};

describe.each([false, true])('beginFollowUp (one more write in front: %s)', (isWritten) => {
  it.each([
    ['none', {}],
    ['alert_closed', { isOpen: false }],
    ['already_refunded_for_dispute', { isOpen: false, isRefunded: true }],
    ['tid_reused', { isOpen: false, isRefunded: true, isUsed: true }],
  ])('refuses a refund with %s when %j', async (code, { isOpen = true, isRefunded = false, isUsed = false }: Met) => {
    const about = await newCase(isOpen);
    // A refund at the merchant's own processor.
    if (isRefunded) await putItem({ ...keys.refund(about.alertId), entity: 'REFUND', refund: { state: 'done' } });
    if (isUsed) await putItem({ ...about.key, entity: 'TID', txid: 1, digest: 'of another' });
    front.isWritten = isWritten;
    expect(await codeOfRefusal(about).finally(() => (front.isWritten = false))).toBe(code);
  });
});

type Met = { isOpen?: boolean; isRefunded?: boolean; isUsed?: boolean };
