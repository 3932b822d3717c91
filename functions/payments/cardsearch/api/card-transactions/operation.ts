import { defineOperation } from '#core/platform/operation/operation.ts';
import { cardSearchOperation, lists, searches } from '../../declarations.ts';
import { CardSearchPage } from '../../schemas.ts';

export const cardTransactionsOperation = defineOperation('cardsearch/card-transactions', {
  ...cardSearchOperation,
  permission: 'payments:read',
  summary: 'Find transactions by card',
  description:
    'By a whole card number, a masked one, its first six or its last four digits, all of them optional; of one month ' +
    '(`052026`), or of the last three. Newest first, 500 at a time or `size`; the header `x-next-cursor` ' +
    'is the `cursor` of the next page, and absent on the last. An administrator also sends `mid`.',
  path: '/api/v3/cardtransactions',
  body: CardSearchPage,
  grants: { table: searches, indexes: lists, secrets: ['encryption'] },
});
