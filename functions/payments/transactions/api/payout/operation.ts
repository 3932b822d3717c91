import { defineOperation } from '#core/platform/operation/operation.ts';
import { PayoutBody } from '../../schemas.ts';
import { starting } from '../../start/start-declarations.ts';

export const payoutOperation = defineOperation('transactions/payout', {
  ...starting,
  summary: 'Send money to a card',
  description:
    'The amount is reserved in the site’s balance immediately, and taken from it once it has arrived. No more is sent than is ' +
    'available there.',
  path: '/api/v1/index.php/{id}/payout',
  body: PayoutBody,
  errors: [...starting.errors, 'insufficient_funds'],
  grants: { ...starting.grants, table: [...starting.grants.table, 'ConditionCheckItem'] },
});
