import { fromAlertItem } from '../alerts/alert-row.ts';
import { type Holding, type Progress, summariesOf } from '../core/count-repair-store.ts';
import { keys } from '../core/keys.ts';
import { getItems } from '../core/table.ts';
import { countAlertDays } from './alert-day-store.ts';

const atOnce = 100;

const countSome = async (alertIds: readonly number[]): Promise<void> => {
  const items = await getItems(alertIds.map((id) => keys.alert(id)));
  await countAlertDays(items.flatMap((item) => (item ? [fromAlertItem(item)] : [])));
};

/**
 * Counts all alerts of a merchant, or of everybody, into the days of reports: those received before there were reports, and those that
 * the stream has missed. Alerts already counted stay as they are, so this may be done at any time, and repeated.
 */
export const recountAlertDays = async (owner: Holding['owner'], progress: Pick<Progress, 'items'>): Promise<void> => {
  let some: number[] = [];
  for await (const { alert_id } of summariesOf<{ alert_id: number }>({ entity: 'ALERT', owner })) {
    some.push(alert_id);
    progress.items += 1;
    if (some.length === atOnce) {
      await countSome(some);
      some = [];
    }
  }
  await countSome(some);
};
