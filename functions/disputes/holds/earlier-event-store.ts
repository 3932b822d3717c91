import { nowIso } from '#core/kernel/clock.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, transact } from '#core/platform/table/table.ts';
import { type Alert, type EarlierRefund, withChargebackOf, withEarlierRefund } from '#disputes/alerts/alert.ts';
import { fromAlertItem } from '#disputes/alerts/alert-row.ts';
import { entryOfChange, type HistoryEvent } from '#disputes/alerts/history/history.ts';
import { changedAlertWrites } from '#disputes/alerts/history/history-row.ts';
import { fromHoldItem } from '#disputes/alerts/hold-row.ts';
import { isReturned, type Ledger, wholeSum } from '#payments/transactions/ledger/ledger.ts';
import { listChildSummaries } from '#payments/transactions/transaction/children-store.ts';
import type { Transaction } from '#payments/transactions/transaction/transaction.ts';
import { getParent } from '#payments/transactions/transaction/transaction-store.ts';

/**
 * Records in an alert what had happened to its payment before the alert was received: that it was refunded here, or charged back. The
 * alert's credit follows from that. Does nothing while no payment is held for the alert. Repeated: no write.
 */
export const recordEarlierEvents = (alertId: number): Promise<void> =>
  retryOnConflict(async () => {
    const txid = fromHoldItem(await getItem(keys.disputeHold(alertId)))?.txid ?? null;
    if (txid === null) return;
    const item = await getItem(keys.alert(alertId));
    const parent = await getParent(txid);
    if (!item || !parent) throw new Error(`Alert ${alertId} or the payment ${txid} held for it is gone`);
    const before = fromAlertItem(item);
    const change =
      withEarlierChargeback(before, parent.ledger) ?? withRefundBefore(before, await findEarlierRefund(before, parent));
    if (!change) return;
    const entry = entryOfChange(before, change.after, change.event, nowIso(), { by: 'service', via: 'refund' });
    await transact({ alert: changedAlertWrites(change.after, entry) });
  });

type AlertChange = { after: Alert; event: HistoryEvent };

/** Only the chargeback's own reports say what became of one that the alert knows already. */
const withEarlierChargeback = (alert: Alert, { chargebacks = {} }: Ledger): AlertChange | null => {
  if (alert.chargeback !== null) return null;
  const [first] = Object.entries(chargebacks)
    .flatMap(([id, { openedAt, taken, byNetwork }]) =>
      taken && !byNetwork && openedAt !== undefined ? [{ id, openedAt, stands: true }] : [],
    )
    .filter(({ openedAt }) => openedAt < alert.receivedAt)
    .sort((one, other) => (one.openedAt < other.openedAt ? -1 : 1));
  const after = first && withChargebackOf(alert, first);
  return after ? { after, event: 'charged back' } : null;
};

const withRefundBefore = (alert: Alert, refund: EarlierRefund | null): AlertChange | null => {
  const after = refund && withEarlierRefund(alert, refund);
  return after ? { after, event: 'refunded before' } : null;
};

/** The last of the refunds and voids that together had returned the whole payment before the alert was received; null: they had not. */
const findEarlierRefund = async (
  { receivedAt }: Alert,
  { transaction, ledger }: { transaction: Transaction; ledger: Ledger },
): Promise<EarlierRefund | null> => {
  if (!isReturned(ledger)) return null;
  const whole = wholeSum(ledger);
  let returned = 0n;
  for (const { txid, status, tx_action: action, minor, created_at: at } of await listChildSummaries(transaction)) {
    if (status !== 'OK' || (action !== 'REFUND' && action !== 'VOID') || at >= receivedAt) continue;
    returned += BigInt(minor);
    if (returned >= whole) return { txid, at };
  }
  return null;
};
