import { defineOperation } from '../../core/operation.ts';
import { base, lists, searches } from '../declarations.ts';

export const cardSearchAndEmail = defineOperation({
  ...base,
  name: 'card-search-and-email',
  summary: 'Find transactions by card, and mail the list to those who made them',
  description:
    'The same search. Besides, each e-mail address that is stored with a transaction found gets the list of those made with ' +
    'it, once within ten minutes for the same search; at most 50 addresses.',
  path: '/api/v3/cardsearchandemail',
  roles: ['analyst', 'manager'],
  grants: { table: [...searches, 'PutItem'], indexes: lists, secrets: ['encryption'] },
});
