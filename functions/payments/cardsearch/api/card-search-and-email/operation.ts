import { defineOperation } from '#core/platform/operation/operation.ts';
import { cardSearchOperation, lists, searches } from '../../declarations.ts';

export const cardSearchAndEmailOperation = defineOperation('cardsearch/card-search-and-email', {
  ...cardSearchOperation,
  permission: 'payments',
  summary: 'Find transactions by card, and e-mail the list to the payers',
  description:
    'The same search. In addition, each e-mail address stored with a transaction that was found gets the list of those made with ' +
    'it, once within ten minutes for the same search; at most 50 addresses.',
  path: '/api/v3/cardsearchandemail',
  roles: ['analyst', 'manager'],
  grants: { table: [...searches, 'PutItem'], indexes: lists, secrets: ['encryption'] },
});
