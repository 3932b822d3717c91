import { defineOperation } from '../../core/operation.ts';
import { ChargebackDetails, ChargebackParams } from '../schemas.ts';

export const chargebackDetails = defineOperation({
  area: 'chargebacks',
  name: 'chargeback-details',
  summary: 'Show one chargeback',
  description: 'What its processor says of it, as it was asked last, and how it came to that.',
  method: 'POST',
  path: '/api/v3/service_alerts/chargeback/{id}/details',
  auth: 'bearer',
  params: ChargebackParams,
  reply: ChargebackDetails,
  errors: ['chargeback_not_found'],
  grants: { table: ['GetItem'] },
});
