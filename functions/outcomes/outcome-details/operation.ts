import { defineOperation } from '../../core/operation.ts';
import { OutcomeDetails, OutcomeParams } from '../schemas.ts';

export const outcomeDetails = defineOperation({
  area: 'outcomes',
  name: 'outcome-details',
  summary: 'Show what a provider was told of one update, with every attempt',
  method: 'POST',
  path: '/api/v3/service_alerts/outcome/{id}/details',
  auth: 'bearer',
  params: OutcomeParams,
  reply: OutcomeDetails,
  errors: ['outcome_not_found'],
  grants: { table: ['GetItem'] },
});
