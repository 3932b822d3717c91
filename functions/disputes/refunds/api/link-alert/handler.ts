import { endpoint } from '#core/platform/http/http.ts';
import { visibleAlert } from '#disputes/alerts/alert-store.ts';
import { linkDispute, unlinkDispute } from '#disputes/holds/dispute-hold-store.ts';
import { linkAlertOperation } from './operation.ts';

export const handler = endpoint(linkAlertOperation, async ({ params, body, caller }) => {
  const { txid, held_txid: released = null } = body;
  const alert = await visibleAlert(params.alert_id, caller);
  if (txid !== null) await linkDispute(alert, txid, caller.subject);
  const held = txid ?? (await unlinkDispute(alert, released, caller.subject));
  return { status: 'ok' as const, alert_id: alert.alertId, held_txid: held };
});
