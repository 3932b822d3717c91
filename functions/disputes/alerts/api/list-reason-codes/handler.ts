import { endpoint } from '#core/platform/http/http.ts';
import type { AlertProvider } from '#disputes/providers/providers.ts';
import { visibleAlert } from '../../alert-store.ts';
import { codesInForceSince, listCodes } from '../../answer/reason-codes.ts';
import { takesOutcome } from '../../answer/update.ts';
import { listReasonCodesOperation } from './operation.ts';

/** `answered`: the provider whose codes apply; undefined: the alert takes no answer. */
const codesReply = (provider: AlertProvider | undefined, answered: AlertProvider | undefined) => ({
  list: answered === undefined ? [] : listCodes(answered),
  in_force_since: provider === undefined ? null : codesInForceSince(provider),
});

export const handler = endpoint(listReasonCodesOperation, async ({ body: { alert_id, provider }, caller }) => {
  if (alert_id === undefined) return codesReply(provider, provider);
  const { providerAlert } = await visibleAlert(alert_id, caller);
  return codesReply(providerAlert.provider, takesOutcome(providerAlert.type) ? providerAlert.provider : undefined);
});
