import { defineOperation } from '../../core/operation.ts';
import { base, lists, searches } from '../declarations.ts';

export const cardTransactions = defineOperation({
  ...base,
  name: 'card-transactions',
  summary: 'Find transactions by card',
  description:
    'By a whole card number, a masked one, its first six or its last four digits, all of them optional; of one month ' +
    '(`052026`), or of the last three. The newest 500, newest first. An administrator also sends `mid`.',
  path: '/api/v3/cardtransactions',
  grants: { table: searches, indexes: lists, secrets: ['encryption'] },
});
