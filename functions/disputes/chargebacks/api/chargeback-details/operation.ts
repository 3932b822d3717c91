import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { ChargebackDetails, ChargebackParams, EstimateReply } from '../../schemas.ts';

export const chargebackDetailsOperation = defineOperation('chargebacks/chargeback-details', {
  summary: 'Show one chargeback',
  description: 'What its processor said about it when last asked, how it got there, and what contesting it is worth.',
  method: 'POST',
  path: '/api/v3/service_alerts/chargeback/{id}/details',
  auth: 'bearer',
  permission: 'chargebacks:read',
  tool: { kind: 'read' },
  params: ChargebackParams,
  reply: v.object({ ...ChargebackDetails.entries, estimate: EstimateReply }),
  errors: ['chargeback_not_found'],
  grants: { table: ['GetItem'], indexes: ['list2f'] },
});
