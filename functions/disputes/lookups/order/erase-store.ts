import { readFirst } from '#core/platform/lists/listing-store.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { merchantOfRequest } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import {
  accountScope,
  emailScope,
  type OrderSummary,
  orderLists,
  placeEntity,
} from '#payments/orders/order-place-row.ts';
import { findOrderForCaller, whateverItsTime } from '#payments/orders/order-store.ts';
import { eraseAuthentications } from '#payments/threeds/authentication/erase-authentications-store.ts';
import { eraseCustomerNotes } from './customer-note-store.ts';
import { deleteOrder } from './deletion-store.ts';

export type Customer = { mid?: number | undefined; account_id?: string | undefined; email?: string | undefined };

const maxErased = 500;
const atOnce = 10;

/**
 * Deletes the orders of a customer's account or e-mail address, at most 500, and the notes under every name in them; by e-mail address, also the payer's
 * data in authentications. `most`: for tests. Throws request_invalid,
 * merchant_not_found, changed_meanwhile.
 */
export const eraseCustomer = async (
  customer: Customer,
  caller: Caller,
  most: number = maxErased,
): Promise<{ erased: number; authentications: number; more: boolean }> => {
  const mid = merchantOfRequest(customer.mid, caller);
  const orders = await readFirst<OrderSummary>({
    entity: placeEntity,
    ...eraseScope(customer, mid),
    order: 'ASC',
    size: most + 1,
  });
  const gone = orders.slice(0, most);
  for (let from = 0; from < gone.length; from += atOnce) {
    const ids = gone.slice(from, from + atOnce).map(({ order_id: id }) => id);
    const kept = await Promise.all(ids.map((id) => findOrderForCaller(id, caller, whateverItsTime)));
    // Before the orders, which alone tell the customer's other names.
    await eraseCustomerNotes(
      mid,
      kept.flatMap((order) => order?.content.customer ?? []),
    );
    await Promise.all(ids.map((id) => deleteOrder(id, caller)));
  }
  await eraseCustomerNotes(mid, [customer]);
  const payers =
    customer.email === undefined ? { erased: 0, more: false } : await eraseAuthentications(mid, customer.email, most);
  return { erased: gone.length, authentications: payers.erased, more: orders.length > most || payers.more };
};

const eraseScope = ({ account_id: accountId, email }: Customer, mid: number) => {
  if (accountId !== undefined && email === undefined) {
    return { scopeIndex: orderLists.account, scope: accountScope(mid, accountId) };
  }
  if (email !== undefined && accountId === undefined) {
    return { scopeIndex: orderLists.email, scope: emailScope(mid, email) };
  }
  throw new Refusal('request_invalid', 'account_id: send it or email, not both');
};
