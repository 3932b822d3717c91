import { queueHandler } from '#core/platform/work/batch.ts';
import { dropSchedules, setSchedule } from '../../deadline/deadline-client.ts';
import { DeadlineMessage } from '../../deadline/deadline-due.ts';
import { keepDeadline } from '../../deadline/deadline-store.ts';

export const handler = queueHandler(DeadlineMessage, async ({ alertId, phase }) => {
  const wanted = await keepDeadline(alertId, phase !== undefined);
  if (wanted === 'untouched') return;
  if (wanted === 'none') await dropSchedules(alertId);
  else await setSchedule(alertId, wanted.phase, wanted.at);
});
