import { type Holding, type Progress, readSummaries } from '#core/platform/lists/count-repair-store.ts';
import { describeError, log } from '#core/platform/log/log.ts';
import { keys } from '#core/platform/table/keys.ts';
import { type Also, keepCosts } from '#disputes/costs/cost-store.ts';
import { alertDayChange, fromMarkItem } from '#disputes/reports/alert-day-row.ts';
import { isCountedAlert } from '#disputes/rules/volume/volume.ts';
import { volumeAdditions } from '#disputes/rules/volume/volume-row.ts';
import type { Uncounted } from './schemas.ts';

/**
 * Returns the counts of an alert for reports, and its volumes if it has just got an owner; but nothing that an earlier release has counted.
 * Its rows are read until the alert has its own: those of volumes end after 62 days, as the volumes do.
 */
const tallyWith = (newlyOwned: ReadonlySet<number>): Also => ({
  rows: (alertId) => [keys.alertDayMark(alertId), keys.volumeMark(alertId)],
  of: (alert, kept, [reportMark, volumeMark]) => {
    const change = alertDayChange(alert, kept.reported ?? fromMarkItem(reportMark));
    const isNew = newlyOwned.has(alert.alertId) && isCountedAlert(alert) && !kept.inVolumes && !volumeMark;
    if (!change && !isNew) return null;
    return {
      kept: { ...kept, ...(change && { reported: change.reported }), inVolumes: kept.inVolumes || isNew },
      additions: [...(change?.additions ?? []), ...(isNew ? volumeAdditions(alert) : [])],
    };
  },
});

/**
 * Counts alerts, each as it is now, into the days of reports, keeps what they cost, and counts those that have got an owner into the
 * volumes that rules ask about: one transaction, as all of that changes with the alert. May be called for an alert any number of
 * times, from anywhere and in any order.
 */
export const tallyAlerts = (alertIds: readonly number[], newlyOwned: readonly number[] = []): Promise<void> =>
  keepCosts(alertIds, tallyWith(new Set(newlyOwned)));

/** AWS and the network fail for a while; anything else, and what DynamoDB calls invalid, fails again for the same alert. */
const isTemporary = (error: unknown): boolean =>
  error instanceof Error &&
  ('$metadata' in error || 'code' in error || error.name === 'TimeoutError') &&
  !/Validation(Exception|Error)/.test(`${error.name} ${error.message}`);

/**
 * Counts alerts as `tallyAlerts` does. If that fails because of an alert, counts each alone and returns those that cannot be counted, so
 * that they delay no other. Throws what AWS or the network fails with.
 */
export const tallyEach = async (alertIds: readonly number[], newlyOwned: readonly number[]): Promise<Uncounted[]> => {
  try {
    await tallyAlerts(alertIds, newlyOwned);
    return [];
  } catch (error) {
    if (isTemporary(error)) throw error;
  }
  const uncounted: Uncounted[] = [];
  for (const alertId of new Set(alertIds)) {
    const isNew = newlyOwned.includes(alertId);
    try {
      await tallyAlerts([alertId], isNew ? [alertId] : []);
    } catch (error) {
      if (isTemporary(error)) throw error;
      log('error', 'alert_not_counted', { alertId, error: describeError(error) });
      uncounted.push({ uncounted: alertId, isNew });
    }
  }
  return uncounted;
};

const atOnce = 100;

/**
 * Counts all alerts of a merchant, or of all merchants: those from before there were reports or costs, and those that the stream has
 * missed. If nothing was missed, nothing is written, so this may be done at any time, and repeated.
 */
export const tallyAll = async (owner: Holding['owner'], progress: Pick<Progress, 'items'>): Promise<void> => {
  let waiting: number[] = [];
  for await (const { alert_id: alertId } of readSummaries<{ alert_id: number }>({ entity: 'ALERT', owner })) {
    waiting.push(alertId);
    progress.items += 1;
    if (waiting.length === atOnce) {
      await tallyAlerts(waiting);
      waiting = [];
    }
  }
  await tallyAlerts(waiting);
};
