import { endpoint } from '#core/platform/http/http.ts';
import { readEstimate } from '../../automatic/estimate-store.ts';
import { chargebackForCaller } from '../../chargeback-access-store.ts';
import { toChargebackDto } from '../../chargeback-row.ts';
import { chargebackDetailsOperation } from './operation.ts';

export const handler = endpoint(chargebackDetailsOperation, async ({ params: { id }, caller }) => {
  const chargeback = await chargebackForCaller(id, caller);
  return { ...toChargebackDto(chargeback), estimate: await readEstimate(chargeback) };
});
