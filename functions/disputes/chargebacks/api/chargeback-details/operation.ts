import { defineOperation } from '#core/platform/operation/operation.ts';
import { ChargebackDetails, ChargebackParams } from '../../schemas.ts';

export const chargebackDetailsOperation = defineOperation({
  area: 'chargebacks',
  name: 'chargeback-details',
  summary: 'Show one chargeback',
  description: 'What its processor said about it when last asked, and how it got there.',
  method: 'POST',
  path: '/api/v3/service_alerts/chargeback/{id}/details',
  auth: 'bearer',
  permission: 'chargebacks:read',
  tool: { kind: 'read' },
  params: ChargebackParams,
  reply: ChargebackDetails,
  errors: ['chargeback_not_found'],
  grants: { table: ['GetItem'] },
});
