import * as v from 'valibot';
import { queueHandler } from '#core/platform/work/batch.ts';
import { deadlinePhases } from '../../deadline/deadline.ts';
import { dropSchedules, setSchedule } from '../../deadline/deadline-client.ts';
import { keepDeadline } from '../../deadline/deadline-store.ts';

/** Only a schedule's message has `phase`; without it, the alert is new or has changed, or a sweep found it overdue. */
const Message = v.object({ alertId: v.number(), phase: v.optional(v.picklist(deadlinePhases)) });

export const handler = queueHandler(Message, async ({ alertId, phase }) => {
  const wanted = await keepDeadline(alertId, phase !== undefined);
  if (wanted === 'untouched') return;
  if (wanted === 'none') await dropSchedules(alertId);
  else await setSchedule(alertId, wanted.phase, wanted.at);
});
