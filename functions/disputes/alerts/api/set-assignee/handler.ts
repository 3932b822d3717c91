import { nowIso } from '#core/kernel/clock.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { getAssignee } from '../../people/assignee.ts';
import { setAssignee } from '../../people/assignee-store.ts';
import { setAssigneeOperation } from './operation.ts';

export const handler = endpoint(
  setAssigneeOperation,
  async ({ params: { alert_id: alertId }, body: { assignee }, caller }) => {
    const alert = await setAssignee({ alertId, assignee, at: nowIso() }, caller);
    const msg = assignee === null ? 'The alert is assigned to no user.' : 'The alert is assigned.';
    return { status: 'ok' as const, msg, alert_id: alertId, assignee: getAssignee(alert) };
  },
);
