import type { Signal } from '@preact/signals';
import { serviceNow } from '../app/clock.ts';
import { readAlerts } from './read-alerts.ts';

/**
 * Counts the alerts of the tabs that await an answer, as their lists have them; nothing where there are too many to be read. `of`: whose
 * they are. What is read after the signal's end is dropped.
 */
export const countTabs = async (
  counted: Signal<Readonly<Record<string, string>>>,
  { of, assignee }: { of: string; assignee: string | undefined },
  away: ReadonlySet<number>,
  signal: AbortSignal,
) => {
  const { rows, isWhole } = await readAlerts(
    {
      ...{ status: ['OPEN', 'WIP', 'OTHER'], alert_type: ['FRAUD', 'DISPUTE', 'CANCEL'], order: 'ASC' },
      ...(assignee && { assignee }),
    },
    signal,
  ).catch(() => ({ rows: [], isWhole: false }));
  if (signal.aborted) return;
  const now = new Date(serviceNow()).toISOString();
  const isLate = ({ deadline }: (typeof rows)[number]) => deadline !== null && deadline <= now;
  const left = rows.filter(({ alert_id: id }) => !away.has(id));
  const count = (of: (row: (typeof rows)[number]) => boolean) => String(left.filter(of).length);
  counted.value = isWhole
    ? {
        of,
        open: count((row) => row.status === 'OPEN' && !isLate(row)),
        progress: count((row) => row.status !== 'OPEN' && !isLate(row)),
        late: count(isLate),
      }
    : {};
};
