import { defineOperation } from '#core/platform/operation/operation.ts';
import { OutcomeDetails, OutcomeParams } from '../../schemas.ts';

export const outcomeDetailsOperation = defineOperation({
  area: 'outcomes',
  name: 'outcome-details',
  summary: 'Show what a provider was told about one update, with every attempt',
  description:
    'What was sent, when, and what the provider answered; when it is tried next; and why the provider refused it for good.',
  method: 'POST',
  path: '/api/v3/service_alerts/outcome/{id}/details',
  auth: 'bearer',
  permission: 'alerts:read',
  params: OutcomeParams,
  reply: OutcomeDetails,
  errors: ['outcome_not_found'],
  grants: { table: ['GetItem'], partitions: ['OUTCOME'] },
});
