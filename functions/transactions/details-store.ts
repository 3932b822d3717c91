import { Refusal } from '../core/errors.ts';
import { keys } from '../core/keys.ts';
import { readFirst } from '../core/listing-store.ts';
import { visibleOrRefuse } from '../core/merchant-access.ts';
import type { Caller } from '../core/operation.ts';
import { getItems } from '../core/table.ts';
import { paymentDetails } from './details-row.ts';
import type { Transaction } from './transaction.ts';
import { fromTransactionItem, scopeOf, type TransactionSummary, transactionEntity } from './transaction-row.ts';
import { getParent, getTransaction, type Known } from './transaction-store.ts';

/** So many transactions of a card are looked through for those that belong to a payment. */
const mostLookedAt = 500;
/** So many of them are shown: what one call reads. */
const mostShown = 100;

const words = 'parentxid: you have no such payment.';

/**
 * A payment with its ledger and what was done to it; of the number of a refund or a capture, its payment. Throws
 * transaction_not_found also for what the caller may not see.
 */
export const paymentForCaller = async (txid: number, caller: Caller) => {
  const { transaction, ledger } = await knownFor(txid, caller);
  return paymentDetails(transaction, ledger, await childrenOf(transaction));
};

const knownFor = async (txid: number, caller: Caller): Promise<Known> => {
  const asked = await getTransaction(txid);
  const { parentTxid } = visibleOrRefuse(asked, caller, 'transaction_not_found', words);
  const known = await getParent(parentTxid);
  if (!known) throw new Refusal('transaction_not_found', words);
  return known;
};

/** A payment's own list is its card's: what is done to a payment is done to its card. Oldest first. */
const childrenOf = async ({ txid, mid, card, createdAt }: Transaction): Promise<Transaction[]> => {
  if (!card) return [];
  const ofCard = await readFirst<TransactionSummary>({
    entity: transactionEntity,
    scopeIndex: 2,
    scope: scopeOf.card(mid, card.token),
    from: createdAt,
    order: 'ASC',
    size: mostLookedAt,
  });
  const own = ofCard.filter((one) => one.parent_txid === txid && one.txid !== txid).slice(0, mostShown);
  if (own.length === 0) return [];
  const items = await getItems(own.map((one) => keys.transaction(one.txid)));
  return items.flatMap((item) => (item ? [fromTransactionItem(item)] : []));
};
