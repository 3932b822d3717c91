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

/** How many transactions of a card are searched for a payment. */
const maxOfCard = 100;

/** Whether a card has paid at a site before. `tokens`: its fingerprints, under every key there is. */
export const hasPaid = async (
  { sid, mid }: { sid: number; mid: number },
  tokens: readonly string[],
): Promise<boolean> => {
  const ofCard = await readFirst<TransactionSummary>({
    entity: transactionEntity,
    scopeIndex: 2,
    scope: tokens.map((token) => cardSearchScopes.card(mid, token)),
    order: 'DESC',
    size: maxOfCard,
  });
  return ofCard.some(
    (one) => one.sid === sid && one.status === 'OK' && (one.tx_action === 'PAYMENT' || one.tx_action === 'PREAUTH'),
  );
};
