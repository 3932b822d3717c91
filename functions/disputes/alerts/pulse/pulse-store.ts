import { listsOf, sumOfRows } from '#core/platform/lists/listing.ts';
import { readFirst } from '#core/platform/lists/listing-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems } from '#core/platform/table/table.ts';
import { alertEntity } from '../alert-row.ts';
import type { AlertScope } from '../alert-store.ts';
import type { AlertSummary } from '../schemas.ts';
import { readOpenTests } from './open-test-store.ts';
import { pulseDays, toPulse } from './pulse.ts';

/** One read of several rows of counts and two queries; one read more where test alerts are open. `now`: milliseconds. */
export const readPulse = async ({ scopeIndex, scope }: AlertScope, now: number) => {
  const lists = listsOf(alertEntity, scope);
  const days = pulseDays(now);
  const buckets = ['ALL', ...days.map((day) => `DAY#${day}`)];
  const [read, [newest], tests] = await Promise.all([
    getItems(buckets.flatMap((bucket) => lists.map((list) => keys.count(list, bucket)))),
    readFirst<AlertSummary>({ entity: alertEntity, scopeIndex, scope, order: 'DESC', size: 1 }),
    readOpenTests(scope),
  ]);
  const [all, ...rows] = buckets.map((_, index) =>
    sumOfRows(read.slice(index * lists.length, (index + 1) * lists.length)),
  );
  const { open, due_soon, digest } = toPulse(
    all,
    days.map((day, index) => ({ day, row: rows[index] })),
    tests.map(({ receivedAt, providerAlert: { type } }) => ({ receivedAt, type })),
    now,
  );
  return {
    open,
    due_soon,
    newest: newest ? { alert_id: newest.alert_id, alert_date: newest.alert_date } : null,
    revision: `${newest?.alert_id ?? 0}-${digest}`,
  };
};
