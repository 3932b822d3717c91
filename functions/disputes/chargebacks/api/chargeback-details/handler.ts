import { endpoint } from '#core/platform/http/http.ts';
import { chargebackForCaller } from '../../chargeback-access-store.ts';
import { toChargebackDto } from '../../chargeback-row.ts';
import { chargebackDetailsOperation } from './operation.ts';

export const handler = endpoint(chargebackDetailsOperation, async ({ params: { id }, caller }) =>
  toChargebackDto(await chargebackForCaller(id, caller)),
);
