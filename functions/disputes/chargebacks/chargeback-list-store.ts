import { maskKept } from '#core/kernel/card/card.ts';
import { type PageRequest, readPage } from '#core/platform/lists/listing-store.ts';
import { hasPermission } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems } from '#core/platform/table/table.ts';
import { toBuyerFields } from '#payments/orders/order-dto.ts';
import { readOrdersOfPayments } from '#payments/transactions/transaction/payment-orders-store.ts';
import { fromTransactionItem } from '#payments/transactions/transaction/transaction-row.ts';
import { type ChargebackSummary, chargebackEntity, fromChargebackItem, toChargebackSummary } from './chargeback-row.ts';
import { chargebackSummaryFields } from './schemas.ts';

const fields = Object.keys(chargebackSummaryFields);
const isWhole = (summary: object): boolean => fields.every((name) => name in summary);

/**
 * Reads a page of chargebacks. Summaries that an earlier release stored lack fields of this one: those chargebacks are read themselves, so
 * that no field is guessed.
 */
export const readChargebackPage = async (request: Omit<PageRequest<ChargebackSummary>, 'entity'>) => {
  const page = await readPage<ChargebackSummary>({ entity: chargebackEntity, ...request });
  const older = page.list.filter((one) => !isWhole(one)).map((one) => one.chargeback_id);
  if (older.length === 0) return page;
  const items = await getItems(older.map(keys.chargeback));
  const found = new Map(
    items.flatMap((item) => fromChargebackItem(item) ?? []).map((one) => [one.id, toChargebackSummary(one)]),
  );
  return { ...page, list: page.list.map((one) => found.get(one.chargeback_id) ?? one) };
};

/** Adds the card, who bought and what, of payments that were taken here. */
export const withBuyers = async (list: readonly ChargebackSummary[], caller: Caller) => {
  const txids = [...new Set(list.flatMap(({ txid }) => txid ?? []))];
  const items = hasPermission(caller, 'payments:read') ? await getItems(txids.map(keys.transaction)) : [];
  const payments = items.flatMap((item) => (item ? [fromTransactionItem(item)] : []));
  const orders = await readOrdersOfPayments(payments, caller);
  const known = new Map(payments.map((payment) => [payment.txid, payment]));
  return list.map((one) => {
    const payment = known.get(one.txid ?? 0);
    const card = payment?.card ? maskKept(payment.card) : null;
    return { ...one, card, ...toBuyerFields(orders.get(one.txid ?? 0), payment?.email) };
  });
};
