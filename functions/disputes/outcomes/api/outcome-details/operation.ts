import { defineOperation } from '#core/platform/operation/operation.ts';
import { OutcomeDetails, OutcomeParams } from '../../schemas.ts';

export const outcomeDetailsOperation = defineOperation('outcomes/outcome-details', {
  summary: 'Show what a provider received about one update, with every attempt',
  description:
    'Returns what was sent and when, what the provider answered, the time of the next attempt, and why the provider refused it permanently.',
  method: 'POST',
  path: '/api/v3/service_alerts/outcome/{id}/details',
  auth: 'bearer',
  permission: 'alerts:read',
  params: OutcomeParams,
  reply: OutcomeDetails,
  errors: ['outcome_not_found'],
  grants: { table: ['GetItem'] },
});
