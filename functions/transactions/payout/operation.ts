import { defineOperation } from '../../core/operation.ts';
import { PayoutBody } from '../schemas.ts';
import { starting } from '../start-declarations.ts';

export const payout = defineOperation({
  ...starting,
  name: 'payout',
  summary: 'Send money to a card',
  description: 'What is sent is kept back from the balance of the site at once, and taken from it when it has arrived.',
  path: '/api/v1/index.php/{id}/payout',
  body: PayoutBody,
});
