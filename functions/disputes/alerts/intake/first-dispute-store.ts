import { keys } from '#core/platform/table/keys.ts';
import { getItems, type Item } from '#core/platform/table/table.ts';
import { makesDuplicates } from '../alert.ts';
import { fromAlertItem } from '../alert-row.ts';
import { firstDisputes, type KnownDispute } from './case-row.ts';

/** The first disputes in the rows of fingerprints, with whether they still make duplicates. One call if there are any, else none. */
export const readFirstDisputes = async (
  names: readonly string[],
  items: readonly (Item | undefined)[],
): Promise<Map<string, KnownDispute>> => {
  const firsts = [...firstDisputes(names, items)];
  if (firsts.length === 0) return new Map();
  const alertIds = [...new Set(firsts.map(([, { alertId }]) => alertId))];
  const alerts = await getItems(alertIds.map(keys.alert));
  const over = new Set(alertIds.filter((_, index) => alerts[index] && !makesDuplicates(fromAlertItem(alerts[index]))));
  return new Map(firsts.map(([name, first]) => [name, { ...first, stands: !over.has(first.alertId) }]));
};
