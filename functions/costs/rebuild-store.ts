import { type Holding, type Progress, summariesOf } from '../core/count-repair-store.ts';
import { keepCosts } from './cost-store.ts';

/** How many alerts fit into one transaction of costs. */
const alertsAtOnce = 20;

/**
 * Brings the costs of all alerts of a merchant, or of everybody, up to date with the alerts, with the days they count on, after the
 * counter had stopped. Where nothing was missed, nothing is written.
 */
export const rebuildCosts = async (owner: Holding['owner'], progress: Pick<Progress, 'items'>): Promise<void> => {
  let waiting: number[] = [];
  const keep = async (): Promise<void> => {
    await keepCosts(waiting);
    progress.items += waiting.length;
    waiting = [];
  };
  for await (const { alert_id: alertId } of summariesOf<{ alert_id: number }>({ entity: 'ALERT', owner })) {
    waiting.push(Number(alertId));
    if (waiting.length === alertsAtOnce) await keep();
  }
  await keep();
};
