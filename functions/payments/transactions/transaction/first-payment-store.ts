import { readFirst } from '#core/platform/lists/listing-store.ts';
import type { FirstPayment } from '#payments/processors/ports/processor.ts';
import { isMoneyDisputed } from '../ledger/ledger.ts';
import { cardSearchScopes, type TransactionSummary, transactionEntity } from './transaction-row.ts';
import { getParent } from './transaction-store.ts';

/** The number of a card's transactions that are searched for a payment. */
const maxOfCard = 100;

/**
 * Finds the payment with which a card was stored at a site: the latest one that succeeded or, if that was itself a repeat, the one that it repeats.
 * Undefined if the card has not paid at the site, or if the latest payment did not store it or was charged back or refunded by the network. `tokens`: the card's fingerprints under every current key.
 */
export const findFirstPayment = async (
  { sid, mid }: { sid: number; mid: number },
  tokens: readonly string[],
): Promise<FirstPayment | undefined> => {
  const ofCard = await readFirst<TransactionSummary>({
    entity: transactionEntity,
    scopeIndex: 2,
    scope: tokens.map((token) => cardSearchScopes.card(mid, token)),
    order: 'DESC',
    size: maxOfCard,
  });
  const latest = ofCard.find(
    (one) => one.sid === sid && one.status === 'OK' && (one.tx_action === 'PAYMENT' || one.tx_action === 'PREAUTH'),
  );
  const known = latest && (await getParent(latest.txid));
  if (!known || isMoneyDisputed(known.ledger)) return undefined;
  const { processor, processorReference: reference, routeId, networkReference = null } = known.transaction;
  if (known.transaction.firstPayment) return known.transaction.firstPayment;
  if (!known.transaction.storesCard || processor === null || reference === null) return undefined;
  return { processor, reference, routeId, networkReference };
};
