import { endpoint } from '#core/platform/http/http.ts';
import { acceptForCaller } from '../../accept-store.ts';
import { acceptChargebackOperation } from './operation.ts';

export const handler = endpoint(acceptChargebackOperation, async ({ params, caller }) => {
  const { id, status } = await acceptForCaller(params.id, caller);
  return { status: 'ok' as const, chargeback_id: id, chargeback_status: status };
});
