import { endpoint } from '#core/platform/http/http.ts';
import { visibleAlert } from '../../alert-store.ts';
import { codesOf } from '../../answer/reason-codes.ts';
import { takesOutcome } from '../../answer/update.ts';
import { listReasonCodesOperation } from './operation.ts';

export const handler = endpoint(listReasonCodesOperation, async ({ body: { alert_id, provider }, caller }) => {
  if (alert_id === undefined) return { list: provider === undefined ? [] : codesOf(provider) };
  const { providerAlert } = await visibleAlert(alert_id, caller);
  return { list: takesOutcome(providerAlert.type) ? codesOf(providerAlert.provider) : [] };
});
