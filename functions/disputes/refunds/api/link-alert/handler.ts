import { endpoint } from '#core/platform/http/http.ts';
import { visibleAlert } from '#disputes/alerts/alert-store.ts';
import { linkDispute, unlinkDispute } from '#disputes/holds/dispute-hold-store.ts';
import { linkAlertOperation } from './operation.ts';

export const handler = endpoint(linkAlertOperation, async ({ params, body: { txid }, caller }) => {
  const alert = await visibleAlert(params.alert_id, caller);
  await (txid === null ? unlinkDispute(alert, caller.subject) : linkDispute(alert, txid, caller.subject));
  return { status: 'ok' as const, alert_id: alert.alertId, held_txid: txid };
});
