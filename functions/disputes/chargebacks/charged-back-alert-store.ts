import { nowIso } from '#core/kernel/clock.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, transact } from '#core/platform/table/table.ts';
import { type Alert, type AlertChargeback, withChargebackOf } from '#disputes/alerts/alert.ts';
import { fromAlertItem } from '#disputes/alerts/alert-row.ts';
import { entryOfChange } from '#disputes/alerts/history/history.ts';
import { changedAlertWrites } from '#disputes/alerts/history/history-row.ts';
import { answerChargedBack } from '#disputes/rules/decide/charged-back-store.ts';
import { barsRefunds } from '#payments/processors/ports/charge-state.ts';
import type { Chargeback } from './chargeback.ts';

/** An inquiry is not a chargeback yet, nor is a refund by the network, and a chargeback that was won has taken nothing. */
const toPart = (chargeback: Chargeback): AlertChargeback => ({
  id: chargeback.id,
  openedAt: chargeback.openedAt,
  stands: barsRefunds(chargeback) && chargeback.status !== 'refunded_by_network',
});

/** Only a chargeback is news to an alert that knows of none yet; and one that does not stand never hides another that does. */
const isNews = ({ chargeback }: Alert, { id, stage, status }: Chargeback): boolean =>
  chargeback === null ? stage !== 'inquiry' && status !== 'refunded_by_network' : chargeback.id === id;

/**
 * Marks the alert about the payment with its chargeback, and answers it 952.002 if it is open and a rule says so. Repeated, it does
 * nothing.
 */
export const tellAlert = async (chargeback: Chargeback): Promise<void> => {
  const { alertId } = chargeback;
  const part = toPart(chargeback);
  if (alertId === null) return;
  await retryOnConflict(() => mark(alertId, part, chargeback));
  if (part.stands) await answerChargedBack(alertId);
};

const mark = async (alertId: number, part: AlertChargeback, chargeback: Chargeback): Promise<void> => {
  const item = await getItem(keys.alert(alertId));
  const before: Alert | undefined = item && fromAlertItem(item);
  const after = before && (part.stands || isNews(before, chargeback)) ? withChargebackOf(before, part) : null;
  if (!before || !after) return;
  const event = part.stands ? ('charged back' as const) : ('chargeback won' as const);
  await transact({ alert: changedAlertWrites(after, entryOfChange(before, after, event, nowIso(), source)) });
};

const source = { by: 'service', via: 'chargebacks' } as const;
