import * as v from 'valibot';
import { defineOperation } from '../../core/operation.ts';
import { Ok } from '../../core/schema.ts';
import { disputeStatuses } from '../../processors/dispute.ts';
import { ChargebackParams } from '../schemas.ts';

export const acceptChargeback = defineOperation({
  area: 'chargebacks',
  name: 'accept-chargeback',
  summary: 'Contest a chargeback no more',
  description:
    'Stripe is told at once; at Adyen, which takes that in its portal alone, it is only noted here. It cannot be undone. Again, it ' +
    'answers the same.',
  method: 'POST',
  path: '/api/v3/service_alerts/chargeback/{id}/accept',
  auth: 'bearer',
  roles: ['analyst', 'manager'],
  params: ChargebackParams,
  reply: v.object({ ...Ok.entries, chargeback_id: v.string(), chargeback_status: v.picklist(disputeStatuses) }),
  errors: ['chargeback_not_found', 'chargeback_over', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'PutItem'], send: ['chargebacks'] },
});
