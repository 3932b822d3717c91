import { CardSearch, FoundTransactions } from './schemas.ts';

export const cardSearchOperation = {
  method: 'POST',
  auth: 'bearer',
  body: CardSearch,
  formats: ['json', 'form'],
  reply: FoundTransactions,
  errors: ['merchant_not_found'],
} as const;

/** Reads the sites of the transactions found, because `vrfy` is made with their rcodes. */
export const searches = ['BatchGetItem'] as const;
export const lists = ['list1', 'list2', 'list3', 'list3f', 'list4'] as const;
