import { type Holding, type Progress, summariesOf } from '../core/count-repair-store.ts';
import { keys } from '../core/keys.ts';
import { type Also, keepCosts } from '../costs/cost-store.ts';
import { alertDayChange, fromMarkItem } from '../reports/alert-day-row.ts';

/** What reports count of an alert, where no earlier release has. */
const reported: Also = {
  rows: (alertId) => [keys.alertDayMark(alertId)],
  of: (alert, kept, [mark]) => {
    const change = alertDayChange(alert, kept.reported ?? fromMarkItem(mark));
    return change && { kept: { ...kept, reported: change.reported }, additions: change.additions };
  },
};

/**
 * Counts alerts, each as it is now, into the days of reports, and keeps what they cost: one transaction, as both change with the
 * alert and lie in the same rows. May be called for an alert any number of times, from anywhere and in any order.
 */
export const tallyAlerts = (alertIds: readonly number[]): Promise<void> => keepCosts(alertIds, reported);

const atOnce = 100;

/**
 * The same for all alerts of a merchant, or of everybody: for those from before there were reports or costs, and those that the
 * stream has missed. Where nothing was missed, nothing is written, so this may be done at any time, and repeated.
 */
export const tallyAll = async (owner: Holding['owner'], progress: Pick<Progress, 'items'>): Promise<void> => {
  let waiting: number[] = [];
  for await (const { alert_id: alertId } of summariesOf<{ alert_id: number }>({ entity: 'ALERT', owner })) {
    waiting.push(alertId);
    progress.items += 1;
    if (waiting.length === atOnce) {
      await tallyAlerts(waiting);
      waiting = [];
    }
  }
  await tallyAlerts(waiting);
};
