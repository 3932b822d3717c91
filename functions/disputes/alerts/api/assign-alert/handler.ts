import { endpoint } from '#core/platform/http/http.ts';
import { assignAlertTo } from '../../intake/assignment-store.ts';
import { assignAlertOperation } from './operation.ts';

export const handler = endpoint(assignAlertOperation, async ({ params, body, caller }) => {
  await assignAlertTo(params.alert_id, body.sid, caller.subject);
  return { status: 'ok' as const, alert_id: params.alert_id };
});
