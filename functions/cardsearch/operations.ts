import { defineOperation } from '../core/operation.ts';
import { CardSearch, FoundTransactions } from './schemas.ts';

const base = {
  area: 'cardsearch',
  method: 'POST',
  auth: 'bearer',
  body: CardSearch,
  formats: ['json', 'form'],
  reply: FoundTransactions,
  errors: ['merchant_not_found'],
} as const;

/** The sites of the transactions found: `vrfy` is made with their rcodes. */
const searches = ['BatchGetItem'] as const;
const lists = ['list1', 'list2', 'list3', 'list3f', 'list4'] as const;

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

export const cardSearchAndEmail = defineOperation({
  ...base,
  name: 'card-search-and-email',
  summary: 'Find transactions by card, and mail the list to those who made them',
  description:
    'The same search. Besides, each e-mail address that is stored with a transaction found gets the list of those made with ' +
    'it, once within ten minutes for the same search; at most 50 addresses.',
  path: '/api/v3/cardsearchandemail',
  grants: { table: [...searches, 'PutItem'], indexes: lists, secrets: ['encryption'] },
});

export const cardSearchOperations = [cardTransactions, cardSearchAndEmail] as const;
