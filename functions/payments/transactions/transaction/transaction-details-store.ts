import { nowIso } from '#core/kernel/clock.ts';
import { readFirst } from '#core/platform/lists/listing-store.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { visibleOrRefuse } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems } from '#core/platform/table/table.ts';
import { type DeliverySummary, deliveryEntity, scopeOfPayment } from '#messaging/webhooks/delivery/delivery-row.ts';
import { listChildSummaries } from './children-store.ts';
import { paymentDetails } from './details-row.ts';
import { readOrdersOfPayments } from './payment-orders-store.ts';
import type { Transaction } from './transaction.ts';
import { fromTransactionItem } from './transaction-row.ts';
import { getParent, getTransaction, type Known } from './transaction-store.ts';

const maxPostbacks = 20;

const words = 'parentxid: you have no such payment.';

/**
 * A payment with its ledger and what was done to it; of the number of a refund or a capture, its payment. Throws
 * transaction_not_found also for what the caller may not see.
 */
export const paymentForCaller = async (txid: number, caller: Caller) => {
  const { transaction, ledger } = await parentForCaller(txid, caller);
  const [children, postbacks, orders] = await Promise.all([
    readChildren(transaction),
    readPostbacks(transaction),
    readOrdersOfPayments([transaction], caller),
  ]);
  return paymentDetails(transaction, ledger, {
    children,
    postbacks,
    at: nowIso(),
    order: orders.get(transaction.txid),
  });
};

/** Lists the postbacks to its merchant, newest first. */
const readPostbacks = ({ parentTxid }: Transaction): Promise<DeliverySummary[]> =>
  readFirst<DeliverySummary>({
    entity: deliveryEntity,
    scopeIndex: 3,
    scope: scopeOfPayment(parentTxid),
    order: 'DESC',
    size: maxPostbacks,
  });

const parentForCaller = async (txid: number, caller: Caller): Promise<Known> => {
  const asked = await getTransaction(txid);
  const { parentTxid } = visibleOrRefuse(asked, caller, 'transaction_not_found', words);
  const known = await getParent(parentTxid);
  if (!known) throw new Refusal('transaction_not_found', words);
  return known;
};

const readChildren = async (payment: Transaction): Promise<Transaction[]> => {
  const own = await listChildSummaries(payment);
  if (own.length === 0) return [];
  const items = await getItems(own.map((one) => keys.transaction(one.txid)));
  return items.flatMap((item) => (item ? [fromTransactionItem(item)] : []));
};
