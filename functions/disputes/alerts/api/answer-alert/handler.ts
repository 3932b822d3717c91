import { nowIso } from '#core/kernel/clock.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { recordPersonUpdate } from '../../answer/update-store.ts';
import { answerAlertOperation } from './operation.ts';

export const handler = endpoint(answerAlertOperation, async ({ params: { alert_id }, body, caller }) => {
  const alert = await recordPersonUpdate(alert_id, body, caller, nowIso());
  return {
    status: 'ok' as const,
    msg: 'The alert is updated.',
    alert_id: String(alert_id),
    alert_status: alert.status,
    reason_code: body.reason_code,
  };
});
