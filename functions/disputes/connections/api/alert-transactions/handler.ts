import { endpoint } from '#core/platform/http/http.ts';
import { visibleAlert } from '#disputes/alerts/alert-store.ts';
import { toSearchedDto } from '../../charge-search.ts';
import { searchCharges } from '../../charge-search-flow.ts';
import { alertTransactionsOperation } from './operation.ts';

export const handler = endpoint(alertTransactionsOperation, async ({ params, caller }) => {
  const alert = await visibleAlert(params.alert_id, caller);
  return { alert_id: alert.alertId, ...toSearchedDto(await searchCharges(alert)) };
});
