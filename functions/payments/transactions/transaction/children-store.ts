import { readFirst } from '#core/platform/lists/listing-store.ts';
import type { Transaction } from './transaction.ts';
import { cardSearchScopes, type TransactionSummary, transactionEntity } from './transaction-row.ts';

/** The number of a card's transactions that are searched for those that belong to a payment. */
const maxLookedAt = 500;
/** The number of them that are shown: as many as one call reads. */
const maxShown = 100;

/** Lists the operations of a payment, oldest first. They are read from the list of the card, because they use the payment's card. */
export const listChildSummaries = async ({
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
