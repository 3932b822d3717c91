import { readFirst } from '#core/platform/lists/listing-store.ts';
import type { Transaction } from './transaction.ts';
import { cardSearchScopes, type TransactionSummary, transactionEntity } from './transaction-row.ts';

/** How many transactions of a card are searched for those that belong to a payment. */
const maxLookedAt = 500;
/** How many of them are shown: as many as one call reads. */
const maxShown = 100;

/** What was done to a payment, oldest first. Its own list is its card's: what is done to a payment is done to its card. */
export const childSummariesOf = async ({
  txid,
  mid,
  card,
  createdAt,
}: Pick<Transaction, 'txid' | 'mid' | 'card' | 'createdAt'>): Promise<TransactionSummary[]> => {
  if (!card) return [];
  const ofCard = await readFirst<TransactionSummary>({
    entity: transactionEntity,
    scopeIndex: 2,
    scope: cardSearchScopes.card(mid, card.token),
    from: createdAt,
    order: 'ASC',
    size: maxLookedAt,
  });
  return ofCard.filter((one) => one.parent_txid === txid && one.txid !== txid).slice(0, maxShown);
};
