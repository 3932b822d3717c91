import { fromSiteItem, isNotified, statusUpdatesOf } from '#accounts/merchants/site/site-row.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, transact, type Write } from '#core/platform/table/table.ts';
import { comparePositions, type MessagePosition } from '#disputes/providers/message-position.ts';
import { positionOfAlert, type WithdrawnCase } from '#disputes/providers/provider-alert.ts';
import type { AlertProvider } from '#disputes/providers/providers.ts';
import { newAlertDeliveryId } from '#messaging/webhooks/delivery/delivery.ts';
import { cancelWrite, fromDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import { type Alert, withdraw } from '../alert.ts';
import { changedAlertOrderWrite, fromAlertOrderItem } from '../alert-order-row.ts';
import { fromAlertItem } from '../alert-row.ts';
import { entryOfChange } from '../history/history.ts';
import { changedAlertWrites } from '../history/history-row.ts';
import { changedHoldWrite, fromHoldItem } from '../hold-row.ts';
import { alertNotificationWrite } from '../outbox/alert-notification-row.ts';
import { withdrawalForm } from '../outbox/alert-payload.ts';
import {
  type Case,
  type EarlyWithdrawal,
  earlyWithdrawalWrite,
  fromCaseItem,
  fromEarlyWithdrawalItem,
  isWithdrawalKept,
} from './case-row.ts';
import type { IntakeResult } from './intake-store.ts';
import { isStaleWithdrawal } from './revision.ts';

/** The reply to a provider about its withdrawal; no alert if its case has not arrived. */
export type WithdrawalResult = Omit<IntakeResult, 'alert_id'> & { alert_id: number | null };

/**
 * Withdraws a provider's case: the alert is closed, its first notification is cancelled if not yet delivered, and the site is notified of
 * the new status. Repeated, or older than the present case: the same answer, no write. A withdrawal that arrives before its case is kept,
 * and withdraws the case when that arrives.
 */
export const withdrawCase = (provider: AlertProvider, withdrawn: WithdrawnCase): Promise<WithdrawalResult> =>
  retryOnConflict(async () => {
    const item = await getItem(keys.providerCase(provider, withdrawn.caseId));
    const known = fromCaseItem(item);
    if (!known) return keepEarly(provider, withdrawn, fromEarlyWithdrawalItem(item));
    const taken = { alert_id: known.alertId, is_duplicate: known.isDuplicate, matched: known.sid !== null };
    const writes = await withdrawalWrites(known, withdrawn.position);
    if (writes.length > 0) await transact({ withdrawal: writes });
    return taken;
  });

/** `before`: the withdrawal of the case that was kept already. */
const keepEarly = async (
  provider: AlertProvider,
  withdrawn: WithdrawnCase,
  before: EarlyWithdrawal | undefined,
): Promise<WithdrawalResult> => {
  const at = nowIso();
  const isRepeat = before && isWithdrawalKept(before, at) && comparePositions(withdrawn.position, before.order) <= 0;
  if (!isRepeat) await transact({ early: earlyWithdrawalWrite(provider, withdrawn, before, at) });
  return { alert_id: null, is_duplicate: false, matched: false };
};

const withdrawalWrites = async ({ alertId, sid }: Case, withdrawal: MessagePosition): Promise<Write[]> => {
  const [item, delivery, holdItem, orderItem, siteItem] = await getItems([
    keys.alert(alertId),
    keys.delivery(newAlertDeliveryId(alertId)),
    keys.disputeHold(alertId),
    keys.alertOrder(alertId),
    ...(sid === null ? [] : [keys.site(sid)]),
  ]);
  if (!item) throw new Error(`Alert ${alertId} of a known case is gone`);
  const before = fromAlertItem(item);
  const at = nowIso();
  if (before.withdrawnAt !== null) return laterWithdrawalWrites(before, withdrawal, at);
  if (isStaleWithdrawal(before, withdrawal, at)) return [];
  const after = withdraw(before, at, withdrawal);
  const entry = entryOfChange(before, after, 'withdrawn by provider', at, {
    by: before.providerAlert.provider,
    via: 'intake',
  });
  const isWanted = siteItem !== undefined && isNotified(statusUpdatesOf(fromSiteItem(siteItem).alert), after.status);
  const pending = delivery && fromDeliveryItem(delivery);
  const hold = fromHoldItem(holdItem);
  const order = fromAlertOrderItem(orderItem);
  return [
    ...changedAlertWrites(after, entry),
    ...(pending?.state === 'PENDING' ? [cancelWrite(pending, at)] : []),
    // A refund that a network takes back needs its hold checked again: the alert was not open, so nothing else triggers that.
    ...(hold ? [changedHoldWrite(hold, hold, at)] : []),
    // Its order is no longer disputed.
    ...(order ? [changedAlertOrderWrite(order, order, at)] : []),
    ...(isWanted && before.status !== after.status
      ? [
          alertNotificationWrite({
            kind: 'status_update',
            alert: after,
            number: newTimedId(),
            body: withdrawalForm(after),
            at,
          }),
        ]
      : []),
  ];
};

/** A withdrawn case that is withdrawn again keeps the later position, so that a message from between the two does not reopen it. */
const laterWithdrawalWrites = (before: Alert, withdrawal: MessagePosition, at: string): Write[] => {
  const known = before.withdrawal ?? positionOfAlert(before.providerAlert);
  if (comparePositions(withdrawal, known) <= 0) return [];
  const after: Alert = { ...before, withdrawal, version: before.version + 1 };
  const source = { by: before.providerAlert.provider, via: 'intake' } as const;
  return changedAlertWrites(after, entryOfChange(before, after, 'withdrawn by provider', at, source));
};
